package mcpserver_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver"
	"mcp-workbench/domain"
)

// maxTokens is the number of tokens of a model's context that the two tools may take, no
// toolbox in sight. Four bytes are taken for a token: tokenizers of today make
// fewer tokens of English and of schemas than that, so the bound holds for them.
const maxTokens = 700

var _ = Describe("Listing the tools", func() {
	openSchema := func(more string) string {
		return `{"type":"object","properties":{"toolbox":{"type":"string","minLength":1,` + more + `}},` +
			`"required":["toolbox"],"additionalProperties":false}`
	}
	const nothing = `"description":"Name of the toolbox to open"`
	const useSchema = `{"type":"object","properties":{"tool":{"type":"object","description":"The tool to call","properties":{` +
		`"toolbox":{"type":"string","minLength":1,"description":"Name of the opened toolbox"},` +
		`"server":{"type":"string","minLength":1,"description":"Name of the server that has the tool"},` +
		`"tool":{"type":"string","minLength":1,"description":"Name of the tool"}},` +
		`"required":["toolbox","server","tool"],"additionalProperties":false},` +
		`"arguments":{"type":"object","description":"Arguments for the tool","additionalProperties":true,"default":{}}},"required":["tool"],"additionalProperties":false}`
	const openText = `Opens a toolbox: starts its MCP servers and returns their tools as JSON, each with name, description, ` +
		`inputSchema, server and toolbox. Call the tools with use_tool. Opening again is cheap: it returns the current tools and ` +
		`retries servers that failed.`
	const useText = `Calls a tool of an opened toolbox and returns the tool's own result. Take toolbox, server and tool (the tool's name) ` +
		`from the answer of open_toolbox; arguments must fit the tool's inputSchema.`
	tools := func(toolboxes, schema string) string {
		return `"tools":[{"name":"open_toolbox","description":` + quote(openText+toolboxes) + `,"inputSchema":` + openSchema(schema) + `,` +
			`"annotations":{"title":"Open toolbox","readOnlyHint":false,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false},` +
			`"_meta":{"anthropic/alwaysLoad":true,"anthropic/maxResultSizeChars":500000}},` +
			`{"name":"use_tool","description":` + quote(useText) + `,"inputSchema":` + useSchema + `,` +
			`"annotations":{"title":"Use tool","readOnlyHint":false,"destructiveHint":true,"idempotentHint":false,"openWorldHint":true},` +
			`"_meta":{"anthropic/alwaysLoad":true}}]`
	}
	var w *workbench
	BeforeEach(func() { w = newWorkbench() })

	It("shows the two of the workbench", func() {
		Expect(w.answer(request("1", "tools/list", "{}"))).To(Equal(resultLine("1", "{"+tools("\n\nNo toolboxes configured.", nothing)+"}")))
	})

	It("names the toolboxes, for hosts that drop instructions", func() {
		w.toolboxes = fakeInstructions{{Name: "dev", Description: "For work"}, {Name: "a b"}}

		Expect(w.answer(request("1", "tools/list", ""))).To(Equal(
			resultLine("1", "{"+tools("\n\nToolboxes: dev, a b",
				`"enum":["dev","a b"],"description":"Name of the toolbox to open:\n- dev: For work\n- a b"`)+"}")))
	})

	It("has the members that 2026-07-28 requires of every list", func() {
		Expect(w.answer(modern("1", "tools/list", ""))).To(Equal(resultLine("1",
			`{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"mcp-workbench","version":"1.2.3"}},`+
				`"ttlMs":0,"cacheScope":"private",`+tools("\n\nNo toolboxes configured.", nothing)+"}")))
	})

	It("has one page", func() {
		Expect(w.answer(request("1", "tools/list", `{"cursor":"x"}`))).To(Equal(
			errorLine("1", -32602, "the cursor does not belong to this list")))
		Expect(w.answer(request("1", "tools/list", `{"cursor":null}`))).To(HavePrefix(`{"jsonrpc":"2.0","id":1,"result":`))
	})

	It("uses little of a model's context", func() {
		Expect(len(w.answer(request("1", "tools/list", ""))) / 4).To(BeNumerically("<", maxTokens))
	})

	It("knows no other tool", func() {
		for _, name := range []string{`"read"`, `"Use_tool"`, `""`, `7`, `null`} {
			params := `{"name":` + name + `,"arguments":{}}`
			shown := ""
			if name[0] == '"' {
				shown = name[1 : len(name)-1]
			}
			Expect(w.answer(request("1", "tools/call", params))).To(Equal(errorLine("1", -32602, "Unknown tool: '"+shown+
				"'. The tools here are open_toolbox and use_tool; call a toolbox's tools through use_tool.")))
		}
		Expect(w.calls()).To(BeEmpty())
	})

	It("is the same text for the same configuration", func() {
		w.toolboxes = fakeInstructions{{Name: "dev"}, {Name: "ops"}, {Name: "web", Description: "x"}}
		first := w.answer(request("1", "tools/list", ""))

		again := newWorkbench()
		again.toolboxes = append(fakeInstructions{}, domain.Toolbox{Name: "dev"}, w.toolboxes[1], w.toolboxes[2])

		Expect(again.answer(request("1", "tools/list", ""))).To(Equal(first))
	})
})

var _ = Describe("A host that closes objects", func() {
	DescribeTable("reads that arguments may be a text", func(name, wanted string, dynamic bool) {
		w, registry := newWorkbench(), &fakeRegistry{}
		if dynamic {
			w.registered = mcpserver.NewRegistered(registry, registry)
		}
		list := request("2", "tools/list", "")
		shown := func(name string) string {
			return w.converse(request("1", "initialize", `{"clientInfo":{"name":"`+name+`"}}`), list)[1]
		}

		Expect(shown(name)).To(ContainSubstring(`"arguments":{"type":` + wanted + `,"additionalProperties":true,"default":{}}`))
		Expect(shown("another")).To(ContainSubstring(`"arguments":{"type":"object","description":"Arguments for the tool","additionalProperties":true,"default":{}}`))
	},
		Entry("mcp-use", "mcp-use", `["object","string"],"description":"Arguments for the tool, as an object or as the JSON text of one"`, false),
		Entry("Roo Code, in dynamic mode", "Roo Code", `["object","string"],"description":"Arguments for the tool, as an object or as the JSON text of one"`, true),
	)
})
