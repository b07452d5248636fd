package mcpserver_test

import (
	"context"
	"encoding/json"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/tests/spec"
)

var _ = Describe("read_tool", func() {
	var w *workbench
	BeforeEach(func() {
		w = newWorkbench()
		w.settings = definitions.Settings{ReadTool: true}
	})
	readTool := func(id, arguments string) string {
		return request(id, "tools/call", `{"name":"read_tool","arguments":`+arguments+`}`)
	}
	readFile := domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "read"}

	It("is listed after use_tool, with its parameters, as read-only", func() {
		var list struct {
			Result struct {
				Tools []struct {
					Name, Description string
					InputSchema       json.RawMessage
					Annotations       map[string]any
				}
			}
		}
		line := w.answer(request("1", "tools/list", ""))
		Expect(json.Unmarshal([]byte(line), &list)).To(Succeed())

		Expect(list.Result.Tools).To(HaveLen(3))
		use, read := list.Result.Tools[1], list.Result.Tools[2]
		Expect(read.Name).To(Equal("read_tool"))
		Expect(read.Description).To(Equal(`Calls a tool that only reads, with the same parameters and result as use_tool. ` +
			`The answer of open_toolbox names these tools under read_tool, by server; "*" means all tools of the server. ` +
			`Any other tool is refused: call it with use_tool.`))
		Expect(string(read.InputSchema)).To(Equal(string(use.InputSchema)))
		Expect(read.Annotations).To(Equal(map[string]any{
			"title": "Read with a tool", "readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": true,
		}))
		Expect(len(line) / 4).To(BeNumerically("<", maxTokens+300))
	})

	It("calls read-only tools as use_tool does", func() {
		w.converse(readTool("1", read), modern("2", "tools/call", `"name":"read_tool","arguments":`+read), useTool("3", read))

		Expect(w.calls()).To(Equal([]usedTool{
			{tool: readFile, arguments: `{"n":1}`, onlyReads: true},
			{tool: readFile, arguments: `{"n":1}`, onlyReads: true},
			{tool: readFile, arguments: `{"n":1}`},
		}))
	})

	It("passes results on in the server's bytes", func() {
		w.use = result(`{ "content":[], "n":9007199254740993 }`)
		Expect(w.answer(readTool("1", read))).To(Equal(resultLine("1", `{ "content":[], "n":9007199254740993 }`)))
	})

	DescribeTable("refuses a tool, and names the one to use",
		func(needsYes bool, why string) {
			w.use = failing(&domain.NotReadOnlyError{Tool: readFile, NeedsYes: needsYes})
			Expect(w.answer(readTool("1", read))).To(Equal(failedLine("1", "Tool 'read' in server 'files' (toolbox 'dev') cannot be called with read_tool: "+
				why+".\nCall it with use_tool and the same parameters.")))
		},
		Entry("that is not marked read-only", false, "it is not one of the tools that only read"),
		Entry("that needs approval", true, "the user wants to be asked before each call of it"),
	)

	DescribeTable("checks its parameters as use_tool does",
		func(arguments string) {
			refused := w.answer(useTool("1", arguments))
			Expect(refused).To(ContainSubstring(`"isError":true`))
			Expect(w.answer(readTool("1", arguments))).To(Equal(refused))
			Expect(w.calls()).To(BeEmpty())
		},
		Entry("none", `{}`),
		Entry("an empty name", `{"tool":{"toolbox":"dev","server":"","tool":"read"}}`),
		Entry("another key", `{"tool":{"toolbox":"dev","server":"files","tool":"read"},"args":{}}`),
		Entry("a frequent mistake", `{"tool":{"toolbox":"dev","server":"files","tool":"read","name":"read"}}`),
		Entry("no object", `{"tool":{"toolbox":"dev","server":"files","tool":"read"},"arguments":[]}`),
	)

	It("exists only if it is configured", func() {
		w.settings = definitions.Settings{}

		Expect(w.answer(request("1", "tools/list", ""))).NotTo(ContainSubstring("read_tool"))
		Expect(w.answer(readTool("1", read))).To(Equal(errorLine("1", -32602,
			"Unknown tool: 'read_tool'. The tools here are open_toolbox and use_tool; call a toolbox's tools through use_tool.")))
		Expect(w.calls()).To(BeEmpty())
	})

	It("is among the existing tools", func() {
		Expect(w.answer(request("1", "tools/call", `{"name":"read","arguments":{}}`))).To(Equal(errorLine("1", -32602,
			"Unknown tool: 'read'. The tools here are open_toolbox, use_tool and read_tool; call a toolbox's tools through use_tool.")))
	})
})

var _ = Describe("The tools for read_tool in the answer of open_toolbox", func() {
	var w *workbench
	answerOf := func(form definitions.Form, more string) map[string]any {
		GinkgoHelper()
		files := serverWith("files", `{"name":"read\u0007"}`, `{"name":"write"}`, `{"name":"list"}`)
		files.OnlyRead = map[string]bool{"read\a": true, "list": true}
		docs := serverWith("docs", `{"name":"search"}`, `{"name":"fetch"}`)
		docs.OnlyRead, docs.AllOnlyRead = map[string]bool{"search": true, "fetch": true}, true
		w.toolboxes = fakeInstructions{{Name: "dev"}}
		w.open = opens(devWith(files, serverWith("db", `{"name":"query"}`), docs), nil)
		w.settings.Default, w.settings.Budget = form, 16<<10
		var answer map[string]any
		text := shownText(w.answer(request("1", "tools/call", `{"name":"open_toolbox","arguments":{"toolbox":"dev"`+more+`}}`)))
		Expect(json.Unmarshal([]byte(text), &answer)).To(Succeed())
		return answer
	}
	BeforeEach(func() {
		w = newWorkbench()
		w.settings = definitions.Settings{ReadTool: true}
	})
	patterns := map[string]any{"files": []any{"read", "list"}, "docs": "*"}

	It("are named by server in every form", func() {
		for _, form := range definitions.Forms() {
			Expect(answerOf(form, "")).To(HaveKeyWithValue("read_tool", patterns), string(form))
		}
	})

	It("are limited to the requested tools", func() {
		Expect(answerOf(definitions.Compact, `,"tools":["write","list"]`)).To(HaveKeyWithValue("read_tool", map[string]any{"files": []any{"list"}}))
		Expect(answerOf(definitions.Compact, `,"tools":["docs/fetch"]`)).To(HaveKeyWithValue("read_tool", map[string]any{"docs": "*"}))
		Expect(answerOf(definitions.Compact, `,"tools":["write"]`)).NotTo(HaveKey("read_tool"))
	})

	It("are not named if there is no read_tool", func() {
		w.settings.ReadTool = false
		Expect(answerOf(definitions.Full, "")).NotTo(HaveKey("read_tool"))
	})

	It("follow changes of the configuration", func() {
		files := serverWith("files", `{"name":"read"}`, `{"name":"write"}`)
		w.open = func(context.Context, domain.ToolboxName) (domain.OpenedToolbox, error) {
			opened := devWith(files)
			files.OnlyRead = map[string]bool{"read": true}
			return opened, nil
		}
		open := `{"name":"open_toolbox","arguments":{"toolbox":"dev"}}`
		w.toolboxes = fakeInstructions{{Name: "dev"}}
		spec.InBubble(func(t *testing.T) {
			talk := w.begin(t)
			defer talk.end()
			Expect(shownText(talk.send(request("1", "tools/call", open))[0])).NotTo(ContainSubstring("read_tool"))
			Expect(shownText(talk.send(request("2", "tools/call", open))[0])).To(HaveSuffix(`],"read_tool":{"files":["read"]}}`))
		})()
	})
})
