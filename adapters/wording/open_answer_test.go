package wording_test

import (
	"encoding/json"
	"os"
	"strings"

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

// toolbox returns a toolbox with servers of these names.
func toolbox(name domain.ToolboxName, servers ...domain.ServerName) domain.Toolbox {
	dev := domain.Toolbox{Name: name}
	for _, server := range servers {
		dev.Servers = append(dev.Servers, domain.Server{ID: domain.ServerID{Toolbox: name, Server: server}})
	}
	return dev
}

var _ = Describe("The instructions for a host that passes on one line", func() {
	It("end the words of a server where they are cut", func() {
		acme := toolbox("acme", "acme")
		acme.Description = `acme: "` + strings.Repeat("says ", 15) + `" (send, ` + strings.Repeat("list_", 8) + `)`
		for others := range 40 {
			line := wording.Instructions(wording.HostNamed("codex-mcp-client"), domain.Instructions{Toolboxes: []domain.Toolbox{acme, toolbox(domain.ToolboxName("b" + strings.Repeat("x", others*5)))}})
			line, _, _ = strings.Cut(line, "\n")
			Expect(len(line)).To(BeNumerically("<=", 252))
			Expect(strings.Count(line, `"`)%2).To(BeZero(), line)
			Expect(strings.Count(line, "(")).To(Equal(strings.Count(line, ")")), line)
		}
	})
})

var _ = Describe("The instructions for a host that passes on all of them", func() {
	build := func(toolboxes ...domain.Toolbox) string {
		return wording.Instructions(wording.Host{}, domain.Instructions{Toolboxes: toolboxes})
	}

	It("lists the toolboxes in the order of the configuration", func() {
		development := toolbox("development", "files", "db")
		development.Description = "Development environment tools"

		Expect(build(development, toolbox("production", "db"), toolbox("empty"))).To(Equal(
			`## Available Toolboxes

- **development** (2 servers): Development environment tools
  - Use ` + "`open_toolbox`" + ` with toolbox name to access

- **production** (1 server): No description provided
  - Use ` + "`open_toolbox`" + ` with toolbox name to access

- **empty** (0 servers): No description provided
  - Use ` + "`open_toolbox`" + ` with toolbox name to access

To open a toolbox and see available tools:
1. Call ` + "`open_toolbox`" + ` with the desired toolbox name
2. Inspect the returned tools array for available operations`))
	})

	It("says how to configure toolboxes when there are none", func() {
		Expect(build()).To(Equal(`No toolboxes configured.

To configure toolboxes, add them to your workbench-config.json file.
See documentation for configuration format.`))
	})

	It("shows names and descriptions verbatim", func() {
		dev := toolbox("a.b c", "files")
		dev.Description = "50% *off* `now`\nand later"

		Expect(build(dev)).To(ContainSubstring("- **a.b c** (1 server): 50% *off* `now`\nand later\n"))
	})
})

var _ = Describe("An entry in a list for a host", Label("S24"), func() {
	DescribeTable("keeps the bytes of what the protocol allows", func(definition string) {
		Expect(string(wording.ListedTool(json.RawMessage(definition)))).To(Equal(definition))
	},
		Entry("of a schema", `{"name":"t", "inputSchema" : {"x":1e400,"type":"object","properties":{"a" : {"type":["null"]}},"required":[ "a" ],"anyOf":[1]}}`),
		Entry("of all else", `{"name":"t","title":"T","inputSchema":{"type":"object"},"outputSchema":{"type":"object","required":[]},"icons":[{"src":"x:","sizes":["any"],"theme":"dark","z":null}],`+
			`"annotations":{"readOnlyHint":false,"x":null},"execution":{"taskSupport":"optional"},"_meta":{"a":null},"other":null}`),
	)

	DescribeTable("of a tool", func(definition, wanted string) {
		Expect(string(wording.ListedTool(json.RawMessage(`{"name":"t",` + definition + `}`)))).To(Equal(`{"name":"t",` + wanted + `}`))
	},
		Entry("has an input schema", `"x":1`, `"x":1,"inputSchema":{"type":"object"}`),
		Entry("has no null for one", `"inputSchema":null`, `"inputSchema":{"type":"object"}`),
		Entry("has no list for one", `"inputSchema":[]`, `"inputSchema":{"type":"object"}`),
		Entry("has no true for one", `"inputSchema":true`, `"inputSchema":{"type":"object"}`),
		Entry("has a schema with a type", `"inputSchema":{"anyOf":[{"type":"object"}]}`, `"inputSchema":{"anyOf":[{"type":"object"}],"type":"object"}`),
		Entry("has the one type", `"inputSchema":{"type":["object","null"],"a":1}`, `"inputSchema":{"type":"object","a":1}`),
		Entry("has no null in its schema", `"inputSchema":{"type":"object","properties":null,"required":null}`, `"inputSchema":{"type":"object"}`),
		Entry("has no list of properties, as PHP writes none", `"inputSchema":{"type":"object","properties":[]}`, `"inputSchema":{"type":"object"}`),
		Entry("has objects as properties", `"inputSchema":{"type":"object","properties":{"a":true,"b":null,"c":false,"d":{}}}`,
			`"inputSchema":{"type":"object","properties":{"a":{},"b":{},"c":{"not":{}},"d":{}}}`),
		Entry("requires only names", `"inputSchema":{"type":"object","required":["a",1,null]}`, `"inputSchema":{"type":"object","required":["a"]}`),
		Entry("has no output schema of a list", `"inputSchema":{"type":"object"},"outputSchema":{"type":"array"}`, `"inputSchema":{"type":"object"}`),
		Entry("has an output schema with a type", `"inputSchema":{"type":"object"},"outputSchema":{}`, `"inputSchema":{"type":"object"},"outputSchema":{"type":"object"}`),
		Entry("has no null", `"title":null,"inputSchema":{"type":"object"},"annotations":null,"icons":null,"_meta":null,"execution":null`, `"inputSchema":{"type":"object"}`),
		Entry("has no annotation of another type", `"inputSchema":{"type":"object"},"annotations":{"readOnlyHint":"yes","title":1}`, `"inputSchema":{"type":"object"},"annotations":{}`),
		Entry("has no icon without an address", `"inputSchema":{"type":"object"},"icons":[{"src":null},{"src":"a:b","sizes":"any"},7]`, `"inputSchema":{"type":"object"},"icons":[{"src":"a:b"}]`),
	)

	DescribeTable("of a prompt", func(definition, wanted string) {
		Expect(string(wording.ListedPrompt(json.RawMessage(definition)))).To(Equal(wanted))
	},
		Entry("has no null", `{"name":"p","description":null,"arguments":null}`, `{"name":"p"}`),
		Entry("has no object of arguments", `{"name":"p","arguments":{}}`, `{"name":"p"}`),
		Entry("has arguments with names", `{"name":"p","arguments":[{"description":"d"},{"name":"a","required":"true"}]}`, `{"name":"p","arguments":[{"name":"a"}]}`),
	)

	DescribeTable("of a resource", func(definition, wanted string) {
		listed, reason := wording.ListedResource(json.RawMessage(definition), "uri")
		Expect(reason == "").To(Equal(wanted != ""))
		Expect(string(listed)).To(Equal(wanted))
	},
		Entry("has a name", `{"uri":"a://b"}`, `{"uri":"a://b","name":"a://b"}`),
		Entry("has no null", `{"uri":"a:b","name":null,"description":null,"size":"1","mimeType":7}`, `{"uri":"a:b","name":"a:b"}`),
		Entry("has annotations that can be read", `{"uri":"a:b","name":"n","annotations":{"audience":["user","me"],"priority":2,"lastModified":"now"}}`,
			`{"uri":"a:b","name":"n","annotations":{"audience":["user"]}}`),
		Entry("needs an address", `{"name":"n"}`, ``),
		Entry("needs an address that is a text", `{"uri":1,"name":"n"}`, ``),
		Entry("needs an address with a scheme", `{"uri":"/tmp/a:b","name":"n"}`, ``),
		Entry("has a scheme of letters and digits", `{"uri":"1password://vault/a","name":"n"}`, `{"uri":"1password://vault/a","name":"n"}`),
		Entry("is an object", `null`, ``),
	)

	DescribeTable("of a resource is left out for a reason", func(definition, reason string) {
		_, because := wording.ListedResource(json.RawMessage(definition), "uri")
		Expect(because).To(Equal(reason))
	},
		Entry(nil, `{"name":"n"}`, "they have no address"),
		Entry(nil, `{"uri":"notes/a.md","name":"n"}`, "their addresses do not begin with a scheme, such as file:"),
		Entry(nil, `{"uri":"-a://b","name":"n"}`, "their addresses do not begin with a scheme, such as file:"),
	)

	It("of a template can begin with a variable", func() {
		listed, reason := wording.ListedResource(json.RawMessage(`{"uriTemplate":"{+path}"}`), "uriTemplate")
		Expect(reason).To(BeEmpty())
		Expect(string(listed)).To(Equal(`{"uriTemplate":"{+path}","name":"{+path}"}`))
	})
})
