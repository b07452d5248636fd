package wording_test

import (
	"os"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

var _ = Describe("The workbench's own tools", func() {
	toolboxes := []domain.Toolbox{
		{Name: "dev", Description: "Some <tools> & more\u2028\"here\"", Servers: []domain.Server{{Results: domain.ResultsFit}}},
		{Name: "ops"},
	}
	settings := definitions.Settings{Default: definitions.Compact, Validation: definitions.ValidateAll, ReadTool: true, FindTool: true}

	// Hosts and models cache lists by their bytes, so the order of members and every escape count.
	It("are listed in the bytes in which hosts have always got them", func() {
		golden, err := os.ReadFile("testdata/own_tools.txt")
		Expect(err).NotTo(HaveOccurred())

		var listed []byte
		for _, pages := range []bool{false, true} {
			listed = append(listed, wording.OwnTools(toolboxes, settings, wording.Registration{Dynamic: !pages, Pages: pages})...)
			listed = append(listed, '\n')
			listed = append(listed, wording.FindToolDefinition(pages)...)
			listed = append(listed, '\n')
		}
		Expect(string(listed)).To(Equal(string(golden)))
	})
})
