package shell

import (
	"encoding/json"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/terminal"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

var _ = Describe("The description of a tool", func() {
	plain := func(_ terminal.Colour, text string) string { return text }
	place := Place{Toolbox: domain.Toolbox{Name: "dev"}, Server: "s", Tool: "t"}
	listed := func(definition string) domain.OpenedToolbox {
		return domain.OpenedToolbox{Servers: []domain.OpenedServer{{
			ID: domain.ServerID{Toolbox: "dev", Server: "s"}, Tools: []domain.ToolInfo{{Name: "t", Shown: "t", Definition: json.RawMessage(definition)}},
		}}}
	}
	printed := func(definition string) string {
		return strings.Join(spec.Must(describedIn(listed(definition), place)).lines(0, plain), "\n") + "\n"
	}
	withProperties := func(properties string, required ...string) string {
		names := spec.Must(json.Marshal(append([]string{}, required...)))
		return `{"name":"t","inputSchema":{"type":"object","properties":` + properties + `,"required":` + string(names) + `,"$defs":{"on":{"type":"boolean"}}}}`
	}

	It("has texts of the server behind marks", func() {
		text := printed(`{"name":"t","title":"T","description":"One.\nExample: rm","inputSchema":{"properties":{"a":{"type":"string","description":"A.\n\nB."}}}}`)

		Expect(text).To(Equal("t(a?: string)\n  | T\n  | One.\n  | Example: rm\n\n  a?: string\n      | A.\n      |\n      | B.\n\n" +
			"Example: mcp-workbench call dev/s/t a=TEXT\n"))
	})

	It("is wrapped to a terminal behind its marks, without the example", func() {
		definition := `{"name":"t","description":"Reads one file.\n  - as a text","inputSchema":{"properties":{"a":{"type":"string","description":"A path in here"}}}}`

		Expect(spec.Must(describedIn(listed(definition), place)).lines(16, plain)).To(Equal([]string{
			"t(a?: string)", "  | Reads one\n  | file.", "  |   - as a\n  | text", "", "  a?: string", "      | A path\n      | in here", "", "Example: mcp-workbench call dev/s/t a=TEXT",
		}))
	})

	DescribeTable("has an example with the required arguments",
		func(arguments, properties string, required ...string) {
			Expect(printed(withProperties(properties, required...))).To(HaveSuffix("\nExample: mcp-workbench call dev/s/t" + arguments + "\n"))
		},
		Entry("none", "", `{}`),
		Entry("the first, where none is required", " a=1", `{"a":{"type":"integer"},"b":{}}`),
		Entry("only the required ones", " b=TEXT", `{"a":{"type":"integer"},"b":{}}`, "b"),
		Entry("every type", " s=TEXT i=1 n=1.5 b=true", `{"s":{"type":"string"},"i":{"type":"integer"},"n":{"type":"number"},"b":{"$ref":"#/$defs/on"}}`, "s", "i", "n", "b"),
		Entry("lists and objects as JSON", " 'l:=[]' 'o:={}'", `{"l":{"type":"array"},"o":{"type":"object"}}`, "l", "o"),
		Entry("a value of an enumeration", " unit=celsius level:=2", `{"unit":{"enum":["celsius","kelvin"]},"level":{"const":2}}`, "unit", "level"),
		Entry("hostile names and values as one word each", ` '$(reboot)=a'\''b'`, `{"$(reboot)":{"enum":["a'b"]}}`, "$(reboot)"),
		Entry("no line of its own for a value with one", ` 'a=x\nrm -r ~'`, `{"a":{"enum":["x\nrm -r ~"]}}`, "a"),
	)

	It("says which settings decide about its calls", func() {
		toolbox := listed(`{"name":"t"}`)
		toolbox.Servers[0].NeedYes = map[string]bool{"t": true}

		Expect(spec.Must(describedIn(toolbox, place)).lines(0, plain)).To(ContainElement(`Each call needs your approval ("confirm").`))
	})

	It("is cut where it is long", func() {
		var properties []string
		for range 300 {
			properties = append(properties, `"`+strings.Repeat("x", len(properties)+1)+`":{}`)
		}

		Expect(printed(withProperties(`{` + strings.Join(properties, ",") + `}`))).To(ContainSubstring("\n  … 100 more arguments; --json shows all\n"))
		Expect(len(printed(`{"name":"t","description":"` + strings.Repeat("x", 100_000) + `"}`))).To(BeNumerically("<", 21_000))
	})

	It("is a failure where there is no such tool, or no server", func() {
		toolbox := listed(`{"name":"t"}`)
		_, err := describedIn(toolbox, Place{Toolbox: place.Toolbox, Server: "s", Tool: "T"})
		Expect(err).To(And(HaveField("Kind", Usage), MatchError(domain.ErrToolNotFound)))

		toolbox.Servers[0].Failure = &domain.ServerUnavailableError{ID: toolbox.Servers[0].ID}
		_, err = describedIn(toolbox, place)
		Expect(err).To(HaveField("Kind", Unreachable))
	})
})
