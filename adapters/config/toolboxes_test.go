package config_test

import (
	"encoding/json"
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/contract"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Toolboxes", func() {
	It("keep the order of the file, and so do their servers", func() {
		var toolboxes, names []string
		for i := range 50 {
			name := fmt.Sprintf("box-%d", (i*37)%50)
			names = append(names, name)
			toolboxes = append(toolboxes, `"`+name+`":{"mcpServers":{"z":{"command":"x"},"a":{"command":"x"},"m":{"command":"x"}}}`)
		}

		configuration := load(`{"toolboxes":{` + strings.Join(toolboxes, ",") + `}}`)

		Expect(toolboxNames(configuration)).To(Equal(names))
		Expect(configuration.Catalog.Toolboxes()[0].ServerNames()).To(Equal([]string{"z", "a", "m"}))
	})

	It("are found by name", func() {
		configuration := load(`{"toolboxes":{"a":{"description":"first","mcpServers":{"s":{"command":"x"}}},"b":{"mcpServers":{"s":{"command":"y"}}}}}`)

		toolbox := spec.Must(configuration.Catalog.Toolbox("b"))
		Expect(toolbox.Name).To(Equal(domain.ToolboxName("b")))
		Expect(toolbox.Servers).To(HaveLen(1))
		Expect(toolbox.Servers[0].ID).To(Equal(domain.ServerID{Toolbox: "b", Server: "s"}))
	})

	It("that do not exist are reported with those that do", func() {
		configuration := load(`{"toolboxes":{"b":{"mcpServers":{"s":{"command":"x"}}},"a":{"mcpServers":{"s":{"command":"y"}}}}}`)

		_, err := configuration.Catalog.Toolbox("A")

		Expect(err).To(MatchError(domain.ErrToolboxNotFound))
		Expect(err).To(Equal(&domain.ToolboxNotFoundError{Toolbox: "A", Available: []string{"b", "a"}}))
	})

	It("can be absent", func() {
		Expect(load(`{"toolboxes":{}}`).Catalog.Toolboxes()).To(BeEmpty())
	})

	It("have the description that is given, or none", func() {
		configuration := load(`{"toolboxes":{
			"a": {"description": "two\nlines ${HOME}", "mcpServers": {"s": {"command": "x"}}},
			"b": {"mcpServers": {"s": {"command": "x"}}}
		}}`, "HOME=/h")

		Expect(configuration.Catalog.Toolboxes()[0].Description).To(Equal("two\nlines ${HOME}"))
		Expect(configuration.Catalog.Toolboxes()[1].Description).To(BeEmpty())
	})

	DescribeTable("and servers may have any name without __",
		func(name string) {
			configuration := load(`{"toolboxes":{"` + name + `":{"mcpServers":{"` + name + `":{"command":"x"}}}}}`)

			Expect(spec.Must(configuration.Catalog.Toolbox(domain.ToolboxName(name))).ServerNames()).To(Equal([]string{name}))
		},
		Entry("with dots", "my.tool.box"),
		Entry("with spaces", " my box "),
		Entry("with dashes and single underscores", "my-tool_box"),
		Entry("in upper case", "DEV"),
		Entry("in any script", "größe-工具箱-🧰"),
		Entry("that is the name of a key", "mcpServers"),
		Entry("with emoji and letters that need invisible characters", "❤️ 👩\u200d👧 می\u200cخواهم"),
		Entry("that is a number", "0"),
	)

	DescribeTable("are refused, with their place,",
		func(content string, problems ...string) {
			Expect(problemsOf(content)).To(Equal(problems))
		},
		Entry("when the file does not have them", `{"logLevel":"warn"}`,
			`c.json:1:1: toolboxes: found nothing, want an object of toolboxes, {} for none`),
		Entry("when they are a list", `{"toolboxes":[]}`, `c.json:1:14: toolboxes: found a list, want an object of toolboxes`),
		Entry("when they are null", `{"toolboxes":null}`, `c.json:1:14: toolboxes: found null, want an object of toolboxes`),
		Entry("when one is not an object", `{"toolboxes":{"dev":true}}`,
			`c.json:1:21: toolboxes.dev: found true, want an object with "mcpServers"`),
		Entry("when one has no mcpServers", `{"toolboxes":{"dev":{"description":"a"}}}`,
			`c.json:1:21: toolboxes.dev.mcpServers: found nothing, want an object with at least one server`),
		Entry("when one has empty mcpServers", `{"toolboxes":{"dev":{"mcpServers":{}}}}`,
			`c.json:1:35: toolboxes.dev.mcpServers: found no server, want at least one server`),
		Entry("when one has only a comment in mcpServers", `{"toolboxes":{"dev":{"mcpServers":{"_":1}}}}`,
			`c.json:1:35: toolboxes.dev.mcpServers: found no server, want at least one server`),
		Entry("when the mcpServers of one are a list", `{"toolboxes":{"dev":{"mcpServers":[]}}}`,
			`c.json:1:35: toolboxes.dev.mcpServers: found a list, want an object with at least one server`),
		Entry("when a description is a number", `{"toolboxes":{"dev":{"description":5,"mcpServers":{"fs":{"command":"x"}}}}}`,
			`c.json:1:36: toolboxes.dev.description: found a number, want a string`),
		Entry("when a description is null", `{"toolboxes":{"dev":{"description":null,"mcpServers":{"fs":{"command":"x"}}}}}`,
			`c.json:1:36: toolboxes.dev.description: found null, want a string`),
		Entry("when the name of one is empty", `{"toolboxes":{"":{"mcpServers":{"fs":{"command":"x"}}}}}`,
			`c.json:1:15: toolboxes[""]: found an empty name, want at least one character`),
		Entry("when the name of one has two underscores", `{"toolboxes":{"a__b":{"mcpServers":{"fs":{"command":"x"}}}}}`,
			`c.json:1:15: toolboxes.a__b: found a name with "__", want a name without "__"`),
		Entry("when the name of one has line breaks", `{"toolboxes":{"e\u001bvil\n- **fake**":{"mcpServers":{"fs":{"command":"x"}}}}}`,
			`c.json:1:15: toolboxes["e\x1bvil\n- **fake**"]: found a name with invisible characters (U+001B, U+000A), `+
				`want a name without them, such as "evil - **fake**"`),
		Entry("when the name of one is invisible", `{"toolboxes":{"\u3164":{"mcpServers":{"fs":{"command":"x"}}}}}`,
			`c.json:1:15: toolboxes["\u3164"]: found a name with invisible characters (U+3164), want a name without them, such as "tools"`),
		Entry("when the name of a server has another space, or the character that joins keys for koanf", withServers("a\u00a0b\u007fc"),
			`c.json:1:36: toolboxes.dev.mcpServers["a\u00a0b\x7fc"]: found a name with invisible characters (U+00A0, U+007F), want a name without them, such as "a bc"`),
		Entry("when the name of a server is empty", withServers(""),
			`c.json:1:36: toolboxes.dev.mcpServers[""]: found an empty name, want at least one character`),
		Entry("when the name of a server has two underscores", withServers("f__s"),
			`c.json:1:36: toolboxes.dev.mcpServers.f__s: found a name with "__", want a name without "__"`),
	)

	It("are refused with all their problems, in the order of the file", func() {
		Expect(problemsOf(`{
			"logLevel": "loud",
			"toolboxes": {
				"a__b": {"mcpServers": {}},
				"c": {"mcpServers": {"d": {"args": [1], "env": {"X": 2}}}, "colour": "red"}
			},
			"toolMode": 5
		}`, "WORKBENCH_LIMITS_CALL=soon")).To(HaveExactElements(
			HavePrefix("c.json:2:16: logLevel: "),
			HavePrefix("c.json:4:5: toolboxes.a__b: "),
			HavePrefix("c.json:4:28: toolboxes.a__b.mcpServers: "),
			HavePrefix("c.json:5:31: toolboxes.c.mcpServers.d.command: "),
			HavePrefix("c.json:5:41: toolboxes.c.mcpServers.d.args[0]: "),
			HavePrefix("c.json:5:58: toolboxes.c.mcpServers.d.env.X: "),
			HavePrefix("c.json:5:64: toolboxes.c.colour: "),
			HavePrefix("c.json:7:16: toolMode: "),
			HavePrefix("WORKBENCH_LIMITS_CALL: "),
		))
	})

	DescribeTable("that a host's file lacks are explained, once",
		func(key string) {
			Expect(problemsOf(`{"` + key + `":{"fs":{"command":"x"}}}`)).To(Equal([]string{
				`c.json:1:2: ` + key + `: found "` + key + `" at the root, as in the file of a host, ` +
					`want it in a toolbox: {"toolboxes": {"main": {"mcpServers": {…}}}}`,
			}))
		},
		Entry("in the file of most hosts", "mcpServers"),
		Entry("in the file of VS Code", "servers"),
	)

	It("beside a host's mcpServers make those an unknown key", func() {
		Expect(problemsOf(withRoot(`"mcpServers":{}`))).To(ConsistOf(HavePrefix(`c.json:2:1: mcpServers: unknown key "mcpServers"; want`)))
	})
})

var _ = contract.DescribeCatalog("a configuration", func(names ...domain.ToolboxName) ports.Catalog {
	GinkgoHelper()
	toolboxes := make([]string, len(names))
	for i, name := range names {
		quoted := spec.Must(json.Marshal(name))
		toolboxes[i] = fmt.Sprintf(`%s:{"description":"number %d","mcpServers":{"one":{"command":"x"},"two":{"command":"y"}}}`, quoted, i)
	}
	return load(`{"toolboxes":{` + strings.Join(toolboxes, ",") + `}}`).Catalog
})
