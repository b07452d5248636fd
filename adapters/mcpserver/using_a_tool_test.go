package mcpserver_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Calling use_tool", func() {
	var w *workbench
	BeforeEach(func() { w = newWorkbench() })

	id := domain.ServerID{Toolbox: "dev", Server: "files"}

	It("passes names and arguments on unchanged", func() {
		w.converse(useTool("1", `{ "arguments" : { "n":9007199254740993 , "n":1e400,"s":"\u00e9<" }, "tool":{"tool":"r\u0065ad","server":"fi les","toolbox":"dev"} }`))

		Expect(w.calls()).To(Equal([]usedTool{{
			tool:      domain.ToolIdentifier{Toolbox: "dev", Server: "fi les", Tool: "read"},
			arguments: `{ "n":9007199254740993 , "n":1e400,"s":"\u00e9<" }`,
		}}))
	})

	DescribeTable("treats missing arguments as empty",
		func(arguments string) {
			w.converse(useTool("1", `{"tool":{"toolbox":"dev","server":"files","tool":"read"}`+arguments+`}`))

			Expect(w.calls()).To(HaveLen(1))
			Expect(w.calls()[0].arguments).To(Equal("{}"))
		},
		Entry("absent", ``),
		Entry("null", `,"arguments":null`),
		Entry("empty", `,"arguments":{}`),
	)

	It("passes the metadata of a call on, except that of the host's connection", Label("TQ07"), func() {
		w.converse(request("1", "tools/call", `{"name":"use_tool","arguments":`+read+`,"task":{"ttl":60},"_meta":{`+
			`"traceparent":"00-1","progressToken":"p","io.modelcontextprotocol/clientInfo":{},"io.modelcontextprotocol/related-task":{"taskId":"of another"},"com.example/x":[1, 2]}}`))

		Expect(w.calls()).To(HaveLen(1))
		Expect(w.calls()[0].meta).To(Equal(`"traceparent":"00-1","com.example/x":[1, 2]`))
		Expect(w.calls()[0].more).To(Equal(`"task":{"ttl":60}`))
		Expect(w.calls()[0].asTask).To(BeTrue())

		w.converse(request("2", "tools/call", `{"name":"use_tool","arguments":`+read+`,"_meta":{"io.modelcontextprotocol/logLevel":"info",`+
			modernMeta+`,"io.modelcontextprotocol/subscriptionId":1,"baggage":"a=b"}}`))

		Expect(w.calls()).To(HaveLen(2))
		Expect(w.calls()[1].meta).To(Equal(`"baggage":"a=b"`))
	})

	DescribeTable("passes results on in the server's bytes",
		func(raw string) {
			w.use = result(raw)

			Expect(w.answer(useTool(`"a"`, read))).To(Equal(resultLine(`"a"`, raw)))
		},
		Entry("a text", `{"content":[{"type":"text","text":"\u00e9<>&"}]}`),
		Entry("unknown members, in their order, with their spaces", `{ "z" : 1, "content":[ {"type":"new"} ], "_meta":{"a":null} }`),
		Entry("numbers that do not fit a float64", `{"structuredContent":{"n":9007199254740993,"f":1e400,"z":-0.0}}`),
		Entry("a failure of the tool", `{"isError":true,"content":[]}`),
		Entry("nothing", `{}`),
		Entry("null", `null`),
		Entry("members twice", `{"a":1,"a":2}`),
	)

	DescribeTable("passes errors of the server on in its bytes, to hosts of both eras", func(code int) {
		object := fmt.Sprintf(`{"data":{"n":9007199254740993}, "message":"no","code":%d}`, code)
		w.use = func(_ context.Context, _ domain.ToolIdentifier, _ ports.ToolCall, reply ports.Reply) {
			reply(ports.Answer{Error: json.RawMessage(object)}, nil)
		}

		for _, line := range []string{useTool("1", read), modern("1", "tools/call", `"name":"use_tool","arguments":`+read)} {
			Expect(w.answer(line)).To(Equal(`{"jsonrpc":"2.0","id":1,"error":` + object + `}`))
		}
	},
		Entry("of any code", -32002),
		Entry("about a capability that is missing", -32021),
		Entry("about an elicitation by URL", -32042),
	)

	DescribeTable("wraps errors about a single connection, which a host would take for its own", func(object, wrapped string) {
		w.use = func(_ context.Context, _ domain.ToolIdentifier, _ ports.ToolCall, reply ports.Reply) {
			reply(ports.Answer{Error: json.RawMessage(object)}, nil)
		}

		for _, line := range []string{useTool("1", read), modern("1", "tools/call", `"name":"use_tool","arguments":`+read)} {
			Expect(w.answer(line)).To(Equal(`{"jsonrpc":"2.0","id":1,"error":` + wrapped + `}`))
		}
	},
		Entry("about headers", `{"code":-32020,"message":"no"}`, `{"code":-32603,"message":"no","data":{"code":-32020}}`),
		Entry("about a version", `{"code":-32022,"message":"no","data":{"supported":[ ]}}`, `{"code":-32603,"message":"no","data":{"code":-32022,"data":{"supported":[ ]}}}`),
		Entry("the code that counts", `{"code":1,"message":"no","code":-32022}`, `{"code":-32603,"message":"no","data":{"code":-32022}}`),
		Entry("and no text for a code", `{"code":"-32022"}`, `{"code":"-32022"}`),
	)

	DescribeTable("reports the first mistake in its arguments", Label("S09", "X06"),
		func(arguments, text string) {
			Expect(w.answer(useTool("1", arguments))).To(Equal(failedLine("1", text)))
			Expect(w.calls()).To(BeEmpty())
		},
		Entry("no tool", `{}`, "Invalid parameters: tool must be an object with toolbox, server and tool"),
		Entry("null for arguments", `null`, "Invalid parameters: tool must be an object with toolbox, server and tool"),
		Entry("null for a tool", `{"tool":null}`, "Invalid parameters: tool must be an object with toolbox, server and tool"),
		Entry("a text for a tool, before other keys", `{"tool":"read","x":1}`, "Invalid parameters: tool must be an object with toolbox, server and tool"),
		Entry("a list for a tool", `{"tool":[]}`, "Invalid parameters: tool must be an object with toolbox, server and tool"),
		Entry("no toolbox, before no server", `{"tool":{}}`, "Invalid tool identifier: toolbox cannot be empty"),
		Entry("an empty server", `{"tool":{"toolbox":"d","server":"","tool":"t"}}`, "Invalid tool identifier: server cannot be empty"),
		Entry("a number for a server", `{"tool":{"toolbox":"d","server":7,"tool":"t"}}`, "Invalid tool identifier: server cannot be empty"),
		Entry("no tool in a tool, before other keys", `{"tool":{"toolbox":"d","server":"s","x":1}}`, "Invalid tool identifier: tool cannot be empty"),
		Entry("another key in the tool, before its arguments", `{"tool":{"toolbox":"d","server":"s","tool":"t","extra_field":1},"arguments":7}`,
			"Invalid parameters: Unrecognized key: 'extra_field'"),
		Entry("another key beside the tool", `{"tool":{"toolbox":"d","server":"s","tool":"t"},"extra_field":1}`,
			"Invalid parameters: Unrecognized key: 'extra_field'"),
		Entry("other keys on both levels", `{"a":1,"tool":{"b":1,"toolbox":"d","server":"s","tool":"t"}}`,
			"Invalid parameters: Unrecognized keys: 'a', 'b'"),
		Entry("more other keys than are named", `{"tool":{"toolbox":"d","server":"s","tool":"t","`+strings.Repeat("x", 1000)+`":1`+strings.Repeat(`,"a":1`, 600)+`}}`,
			"Invalid parameters: Unrecognized keys: '"+strings.Repeat("x", 80)+"' … 920 more characters"+strings.Repeat(", 'a'", 19)+" and 581 more"),
		Entry("a key in another case", `{"tool":{"toolbox":"d","server":"s","tool":"t","Tool":"u"}}`, "Invalid parameters: Unrecognized key: 'Tool'"),
		Entry("a key twice", `{"tool":{"toolbox":"d","server":"s","tool":"t","tool":"u"}}`, "Invalid parameters: Duplicate key: 'tool'"),
		Entry("name for tool", `{"tool":{"toolbox":"d","server":"s","name":"t"}}`,
			"Invalid tool identifier: tool cannot be empty\nUse 'tool' for the tool's name."),
		Entry("name beside tool", `{"tool":{"toolbox":"d","server":"s","tool":"t","name":"t"}}`,
			"Invalid parameters: Unrecognized key: 'name'\nUse 'tool' for the tool's name."),
		Entry("a list for the tool's arguments", `{"tool":{"toolbox":"d","server":"s","tool":"t"},"arguments":[]}`, "Invalid parameters: arguments must be an object"),
		Entry("a text for the tool's arguments", `{"tool":{"toolbox":"d","server":"s","tool":"t"},"arguments":"{"}`, "Invalid parameters: arguments must be an object"),
		Entry("a number for arguments", `7`, "Invalid parameters: arguments must be an object"),
	)

	DescribeTable("says why a tool cannot be used",
		func(err error, text string) {
			w.use = failingUse(fmt.Errorf("use: %w", err))

			Expect(w.answer(useTool("1", read))).To(Equal(failedLine("1", text)))
		},
		Entry("a server that cannot be reached", &domain.ServerUnavailableError{ID: id, Reason: errors.New("it exited with code 1")},
			"Error executing tool 'read' in server 'files' (toolbox 'dev'): it exited with code 1"),
	)

	It("refuses a task for a server without tasks", func() {
		w.use = failingUse(domain.ErrNoTasks)

		Expect(w.answer(useTool("1", read))).To(Equal(errorLine("1", -32601,
			"Server 'files' (toolbox 'dev') does not support tasks; call the tool without one")))
	})

	It("answers a call whose handler panics, and continues", func() {
		w.use = func(context.Context, domain.ToolIdentifier, ports.ToolCall, ports.Reply) { panic("at the disco") }

		Expect(w.converse(useTool("1", read), request("2", "ping", ""))).To(Equal([]string{
			errorLine("1", -32603, "internal error"), resultLine("2", "{}"),
		}))
		Expect(w.log.lines()).To(ContainElement(ContainSubstring("at the disco")))
	})
})

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
			w.use = failingUse(&domain.NotReadOnlyError{Tool: readFile, NeedsYes: needsYes})
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

var _ = Describe("Arguments as hosts send them", Label("S25"), func() {
	var w *workbench
	BeforeEach(func() { w = newWorkbench() })
	readTool := domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "read"}

	DescribeTable("are taken as objects when they are the text of one", func(arguments string) {
		w.converse(useTool("1", arguments))

		Expect(w.calls()).To(Equal([]usedTool{{tool: readTool, arguments: `{"path":"/tmp","n":9007199254740993}`}}))
	},
		Entry("the tool's arguments", `{"tool":{"toolbox":"dev","server":"files","tool":"read"},"arguments":"{\"path\":\"/tmp\",\"n\":9007199254740993}"}`),
		Entry("the tool", `{"tool":"{\"toolbox\":\"dev\",\"server\":\"files\",\"tool\":\"read\"}","arguments":{"path":"/tmp","n":9007199254740993}}`),
		Entry("both", `{"tool":" {\"toolbox\":\"dev\",\"server\":\"files\",\"tool\":\"r\\u0065ad\"}\n","arguments":"\t{\"path\":\"/tmp\",\"n\":9007199254740993}\r\n"}`),
		Entry("all of them", `"{\"tool\":{\"toolbox\":\"dev\",\"server\":\"files\",\"tool\":\"read\"},\"arguments\":{\"path\":\"/tmp\",\"n\":9007199254740993}}"`),
	)

	It("are not taken for one line when their text has several", func() {
		known := map[string]bool{}
		w.use = func(_ context.Context, _ domain.ToolIdentifier, call ports.ToolCall, reply ports.Reply) {
			known[string(call.Arguments)] = call.Reading.Clean(call.Arguments)
			reply(ports.Answer{Result: []byte(`{}`)}, nil)
		}

		w.converse(useTool("1", `{"tool":{"toolbox":"dev","server":"files","tool":"read"},"arguments":"{\n\"a\":1}"}`),
			useTool("2", `{"tool":{"toolbox":"dev","server":"files","tool":"read"},"arguments":{"b":1}}`))

		Expect(known).To(Equal(map[string]bool{"{\n\"a\":1}": false, `{"b":1}`: true}))
	})

	DescribeTable("are refused when they are another text", func(arguments, text string) {
		Expect(w.answer(useTool("1", arguments))).To(Equal(failedLine("1", "Invalid parameters: "+text)))
		Expect(w.calls()).To(BeEmpty())
	},
		Entry("no JSON", `{"tool":{"toolbox":"d","server":"s","tool":"t"},"arguments":"path=/tmp"}`, "arguments must be an object"),
		Entry("the JSON of a list", `{"tool":{"toolbox":"d","server":"s","tool":"t"},"arguments":"[]"}`, "arguments must be an object"),
		Entry("a part of an object", `{"tool":{"toolbox":"d","server":"s","tool":"t"},"arguments":"{\"a\":1"}`, "arguments must be an object"),
		Entry("two objects", `{"tool":{"toolbox":"d","server":"s","tool":"t"},"arguments":"{} {}"}`, "arguments must be an object"),
		Entry("a line end in a string of it", `{"tool":{"toolbox":"d","server":"s","tool":"t"},"arguments":"{\"a\":\"\n\"}"}`, "arguments must be an object"),
		Entry("the text of a text", `{"tool":{"toolbox":"d","server":"s","tool":"t"},"arguments":"\"{}\""}`, "arguments must be an object"),
		Entry("a name for the tool", `{"tool":"d/s/t"}`, "tool must be an object with toolbox, server and tool"),
		Entry("a key twice in the text of the tool", `{"tool":"{\"toolbox\":\"d\",\"server\":\"s\",\"tool\":\"t\",\"tool\":\"u\"}"}`, "Duplicate key: 'tool'"),
		Entry("another key in the text of the tool", `{"tool":"{\"toolbox\":\"d\",\"server\":\"s\",\"tool\":\"t\",\"x\":1}"}`, "Unrecognized key: 'x'"),
	)

	It("are those of a registered tool too", func() {
		registry := &fakeRegistry{}
		registry.register("read", `{"name":"read"}`)
		w.registered = mcpserver.NewRegistered(registry, registry)

		w.converse(request("1", "tools/call", `{"name":"dev__files_read","arguments":"{\"path\":\"{}\"}"}`))

		Expect(w.calls()).To(Equal([]usedTool{{tool: readTool, arguments: `{"path":"{}"}`}}))
		Expect(w.answer(request("2", "tools/call", `{"name":"dev__files_read","arguments":"x"}`))).To(Equal(
			failedLine("2", "Invalid parameters: arguments must be an object")))
	})

	It("have names of tools as the text of a list", func() {
		w.toolboxes = fakeInstructions{{Name: "dev"}}
		w.settings = definitions.Settings{Default: definitions.Names}

		Expect(w.answer(openToolbox("1", `{"toolbox":"dev","tools":"[\"a\"]"}`))).NotTo(ContainSubstring("isError"))
		Expect(w.answer(openToolbox("2", `{"toolbox":"dev","tools":"[\"a\""}`))).To(Equal(failedLine("2", "Invalid parameters: tools must be a list of strings")))
	})

	for _, key := range []string{"wait_for_previous", "task_progress", "toolCallId", "sessionId", "chatInput", "action", "_meta"} {
		It("may have "+key+", which hosts add to every call", func() {
			added := fmt.Sprintf(`,%q:{"any":[1]},%q:true}`, key, key)

			w.converse(useTool("1", `{"tool":{"toolbox":"dev","server":"files","tool":"read"},"arguments":{"a":1}`+added))

			Expect(w.calls()).To(Equal([]usedTool{{tool: readTool, arguments: `{"a":1}`}}))
			Expect(w.answer(openToolbox("2", `{"toolbox":"dev"`+added))).To(ContainSubstring(`{\"toolbox\":\"dev\"`))
		})
	}

	It("have no other key, and none of these in the tool", func() {
		Expect(w.answer(openToolbox("1", `{"toolbox":"dev","task_progress":"","extra_field":1}`))).To(Equal(
			failedLine("1", "Invalid parameters: Unrecognized key: 'extra_field'")))
		Expect(w.answer(useTool("2", `{"tool":{"toolbox":"d","server":"s","tool":"t","action":"x"}}`))).To(Equal(
			failedLine("2", "Invalid parameters: Unrecognized key: 'action'")))
	})
})
