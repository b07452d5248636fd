package mcpserver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver"
	"mcp-workbench/domain"
)

// fakeRegistry stands in for the registry of tools.
type fakeRegistry struct {
	version uint64
	tools   []domain.RegisteredTool
	pages   bool
}

func (f *fakeRegistry) Registered() *domain.RegisteredTools {
	return domain.NewRegisteredTools(f.version, f.tools, nil)
}

func (f *fakeRegistry) RendersPages() bool { return f.pages }

func (*fakeRegistry) Refresh() {}

func (*fakeRegistry) PageRead(domain.ServerID) {}

func (*fakeRegistry) ResultShown(domain.ServerID) {}

func (*fakeRegistry) FindForPage(string, bool) (tool domain.ToolIdentifier, needsYes bool, err error) {
	return domain.ToolIdentifier{}, false, domain.ErrToolNotFound
}

// register registers a tool of the server "files" of the toolbox "dev".
func (f *fakeRegistry) register(name, definition string) {
	f.version++
	f.tools = append(f.tools, domain.RegisteredTool{
		Name: "dev__files_" + name, Definition: json.RawMessage(definition),
		Tool: domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: name},
	})
}

func (f *fakeRegistry) CloseToolbox(_ context.Context, toolbox domain.ToolboxName) (domain.ClosedToolbox, error) {
	return domain.ClosedToolbox{Toolbox: toolbox, Removed: len(f.tools)}, nil
}

var _ = Describe("Listing registered tools", func() {
	var w *workbench
	var registry *fakeRegistry
	BeforeEach(func() {
		w, registry = newWorkbench(), &fakeRegistry{}
		w.registered = mcpserver.NewRegistered(registry, registry)
	})
	// list returns the raw definitions on a page and the cursor of the next one.
	list := func(line string) (tools []json.RawMessage, next string) {
		GinkgoHelper()
		var answer struct {
			Result struct {
				Tools      []json.RawMessage
				NextCursor string
			}
		}
		Expect(json.Unmarshal([]byte(w.answer(line)), &answer)).To(Succeed())
		return answer.Result.Tools, answer.Result.NextCursor
	}

	DescribeTable("shows the server's bytes except for name and description", func(definition, want string) {
		registry.register("t", definition)

		tools, next := list(request("1", "tools/list", "{}"))

		Expect(tools).To(HaveLen(4))
		Expect(string(tools[3])).To(Equal(want))
		Expect(next).To(BeEmpty())
	},
		Entry("with other members",
			`{ "title":"T","name":"t" , "x":9007199254740993,"description":"Reads\t.","inputSchema":{"type":"object", "a":1.0},"outputSchema":{"b":1e2,"type":"object"},"annotations":{"readOnlyHint":true},"icons":[{"src":"x:y"}],"_meta":{"k":null},"execution":{}}`,
			`{ "title":"T","name":"dev__files_t" , "x":9007199254740993,"description":"[dev/files] Reads\t.","inputSchema":{"type":"object", "a":1.0},"outputSchema":{"b":1e2,"type":"object"},"annotations":{"readOnlyHint":true},"icons":[{"src":"x:y"}],"_meta":{"k":null},"execution":{}}`),
		Entry("with the description in front", `{"description":"d","x":1,"name":"t","inputSchema":{"type":"object"}}`, `{"description":"[dev/files] d","x":1,"name":"dev__files_t","inputSchema":{"type":"object"}}`),
		Entry("with no description", `{"name":"t","inputSchema":{"type":"object"}}`, `{"name":"dev__files_t","description":"[dev/files]","inputSchema":{"type":"object"}}`),
		Entry("with an empty one", `{"name":"t","description":""}`, `{"name":"dev__files_t","description":"[dev/files]","inputSchema":{"type":"object"}}`),
		Entry("with one that leaves no room for toolbox and server", `{"name":"t","description":"`+strings.Repeat("d", 1013)+`","inputSchema":{"type":"object"}}`,
			`{"name":"dev__files_t","description":"`+strings.Repeat("d", 1013)+`","inputSchema":{"type":"object"}}`),
		Entry("with one that is just short enough", `{"name":"t","description":"`+strings.Repeat("d", 1012)+`","inputSchema":{"type":"object"}}`,
			`{"name":"dev__files_t","description":"[dev/files] `+strings.Repeat("d", 1012)+`","inputSchema":{"type":"object"}}`),
		Entry("with one that is too long itself", `{"name":"t","description":"`+strings.Repeat("d", 1025)+`","inputSchema":{"type":"object"}}`,
			`{"name":"dev__files_t","description":"[dev/files] `+strings.Repeat("d", 1011)+`…","inputSchema":{"type":"object"}}`),
		Entry("with one that is not a string", `{"name":"t","description":7}`, `{"name":"dev__files_t","description":"[dev/files]","inputSchema":{"type":"object"}}`),
		Entry("with unsafe characters", `{"name":"\u001b[31mt","description":"a\u0007b\u001b[2Jc"}`,
			`{"name":"dev__files_t","description":"[dev/files] abc","inputSchema":{"type":"object"}}`),
		Entry("with members twice, of which the last counts", `{"name":"evil","description":"evil","x":1,"name":"t","description":"d"}`,
			`{"name":"dev__files_t","description":"[dev/files] d","x":1,"inputSchema":{"type":"object"}}`),
		Entry("with names that are written in another way", `{"n\u0061me":"t","descr\u0069ption":"d"}`,
			`{"n\u0061me":"dev__files_t","descr\u0069ption":"[dev/files] d","inputSchema":{"type":"object"}}`),
	)

	It("shows the workbench's own tools first, in both eras", func() {
		registry.register("t", `{"name":"t"}`)
		for _, line := range []string{request("1", "tools/list", "{}"), modern("1", "tools/list", "")} {
			tools, _ := list(line)
			Expect(tools).To(HaveLen(4))
			for i, name := range []string{"open_toolbox", "use_tool", "close_toolbox", "dev__files_t"} {
				Expect(string(tools[i])).To(HavePrefix(`{"name":"` + name + `"`))
			}
		}
		Expect(w.answer(modern("1", "tools/list", ""))).To(HavePrefix(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete",`))
	})

	It("shows the current tools", func() {
		tools, _ := list(request("1", "tools/list", "{}"))
		Expect(tools).To(HaveLen(3))
		registry.register("t", `{"name":"t"}`)
		tools, _ = list(request("1", "tools/list", "{}"))
		Expect(tools).To(HaveLen(4))
	})

	Context("when the tools do not fit on a page", func() {
		const many = 5000
		BeforeEach(func() {
			w.limits.MessageSize = 64 << 20
			for i := range many {
				registry.register(fmt.Sprint(i), `{"name":"t","x":"`+strings.Repeat("x", 2000)+`"}`)
			}
		})

		It("has more pages, with every tool once", func() {
			tools, next := list(request("1", "tools/list", "{}"))
			Expect(len(tools)).To(BeNumerically(">", 2000))
			for next != "" {
				var more []json.RawMessage
				more, next = list(request("1", "tools/list", `{"cursor":`+quote(next)+`}`))
				tools = append(tools, more...)
			}

			Expect(tools).To(HaveLen(3 + many))
			for i, definition := range tools[3:] {
				Expect(string(definition)).To(HavePrefix(fmt.Sprintf(`{"name":"dev__files_%d"`, i)))
			}
		})

		It("refuses the cursor of a list that changed since, and any other", func() {
			_, next := list(request("1", "tools/list", "{}"))
			registry.register("one more", `{"name":"t"}`)

			for _, cursor := range []string{quote(next), `"x"`, `7`} {
				Expect(w.answer(request("1", "tools/list", `{"cursor":`+cursor+`}`))).To(Equal(errorLine("1", -32602,
					"the cursor does not belong to this list, or the list changed; list the tools from the start")))
			}
		})
	})

	It("names a missing tool, with advice", func() {
		Expect(w.answer(request("1", "tools/call", `{"name":"dev__files_t"}`))).To(Equal(errorLine("1", -32602,
			"Unknown tool: 'dev__files_t'. A toolbox's tools are here while it is open: call open_toolbox, and take registered_name from its answer.")))
	})

	DescribeTable("a call reaches the tool with the host's arguments", func(params, want string) {
		registry.register("odd name", `{"name":"odd name"}`)

		w.answer(request("1", "tools/call", `{"name":"dev__files_odd name"`+params+`}`))

		Expect(w.calls()).To(HaveLen(1))
		Expect(w.calls()[0].tool).To(Equal(domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "odd name"}))
		Expect(w.calls()[0].arguments).To(Equal(want))
	},
		Entry("in their bytes", `,"arguments":{ "tool":{"a":1.0},"b":9007199254740993 }`, `{ "tool":{"a":1.0},"b":9007199254740993 }`),
		Entry("none", ``, `{}`),
		Entry("null", `,"arguments":null`, `{}`),
	)

	It("refuses arguments that are not an object", func() {
		registry.register("t", `{"name":"t"}`)
		Expect(w.answer(request("1", "tools/call", `{"name":"dev__files_t","arguments":[1]}`))).To(
			ContainSubstring(`"Invalid parameters: arguments must be an object"}],"isError":true`))
		Expect(w.calls()).To(BeEmpty())
	})

	It("adds registered names to the answer of open_toolbox", func() {
		w.open = opens(domain.OpenedToolbox{Toolbox: domain.Toolbox{Name: "dev"}, Servers: []domain.OpenedServer{{
			ID: domain.ServerID{Toolbox: "dev", Server: "files"}, Registered: map[string]string{"a": "dev__files_a"},
			Tools: []domain.ToolInfo{
				{Name: "a", Shown: "a", Definition: json.RawMessage(`{"name":"a","registered_name":"evil"}`)},
				{Name: "b", Shown: "b", Definition: json.RawMessage(`{"name":"b"}`)},
			},
			Warnings: []domain.Warning{{Kind: domain.NameTaken, Tool: "b", Detail: "dev__files_b"}},
		}}}, nil)

		answer := w.answer(request("1", "tools/call", `{"name":"open_toolbox","arguments":{"toolbox":"dev"}}`))

		var result struct {
			Result struct{ Content []struct{ Text string } }
		}
		Expect(json.Unmarshal([]byte(answer), &result)).To(Succeed())
		Expect(result.Result.Content[0].Text).To(HaveSuffix(
			`"tools":[{"name":"a","server":"files","toolbox":"dev","registered_name":"dev__files_a"},` + "\n" + `{"name":"b","server":"files","toolbox":"dev"}` + "\n" + `],` +
				`"_warnings":["Server 'files': tool 'b' is not registered, since another tool has the name 'dev__files_b'; call it through use_tool",` +
				`"a registered_name can be called once the host has listed its tools again; until then use_tool works at once"]}`))
	})
})

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
