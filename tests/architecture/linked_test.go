package architecture_test

import (
	"os/exec"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("The program", func() {
	// mcp-go's client and server import a library for schemas whose init takes 4 ms of every start.
	// The rooms keep them out of the code here; this keeps them out of what the code imports.
	It("links the names and types of mcp-go, and neither its client nor its server", func() {
		command := exec.Command("go", "list", "-deps", "./cmd/mcp-workbench")
		command.Dir = "../.."
		listed, err := command.Output()
		Expect(err).NotTo(HaveOccurred())

		var linked []string
		for _, path := range strings.Fields(string(listed)) {
			if strings.HasPrefix(path, "github.com/mark3labs/mcp-go/") || strings.HasPrefix(path, "github.com/santhosh-tekuri/") {
				linked = append(linked, path)
			}
		}
		Expect(linked).To(Equal(mcpNames))
	})
})
