package architecture_test

import (
	"os/exec"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("The program", func() {
	// What a package links and initializes is paid by every start of serve, since there is
	// one program. That no method is found by name, which would keep all methods, is checked
	// in the built program (tests/acceptance, "Saying the version").
	It("links no package that a start would pay for and does not need", func() {
		command := exec.Command("go", "list", "-deps", "./cmd/mcp-workbench")
		command.Dir = "../.."
		listed, err := command.Output()
		Expect(err).NotTo(HaveOccurred())

		for _, path := range []string{
			"github.com/mark3labs/mcp-go/mcp", "github.com/google/jsonschema-go/jsonschema", "github.com/spf13/cast",
			"html/template", "net/rpc", "expvar", "net/http/pprof", "testing",
			"google.golang.org/protobuf/proto", "go.opentelemetry.io/proto/otlp/trace/v1",
		} {
			Expect(strings.Fields(string(listed))).NotTo(ContainElement(path))
		}
		Expect(strings.Fields(string(listed))).To(ContainElement("mcp-workbench/domain"))
	})
})
