package mcpserver_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
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
			w.use = failing(fmt.Errorf("use: %w", err))

			Expect(w.answer(useTool("1", read))).To(Equal(failedLine("1", text)))
		},
		Entry("a server that cannot be reached", &domain.ServerUnavailableError{ID: id, Reason: errors.New("it exited with code 1")},
			"Error executing tool 'read' in server 'files' (toolbox 'dev'): it exited with code 1"),
	)

	It("refuses a task for a server without tasks", func() {
		w.use = failing(domain.ErrNoTasks)

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
