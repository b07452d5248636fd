package mcpserver_test

import (
	"context"
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = Describe("Receiving lines", func() {
	var w *workbench
	BeforeEach(func() { w = newWorkbench() })

	const syntax, invalid, params = -32700, -32600, -32602

	DescribeTable("answers invalid requests with their code and their id",
		func(line string, code int, id string) {
			lines := w.converse(line, request(`"after"`, "ping", ""))

			Expect(lines).To(HaveLen(2))
			Expect(lines[0]).To(MatchRegexp(`^\{"jsonrpc":"2.0","id":%s,"error":\{"code":%d,"message":".+"\}\}$`, id, code))
			Expect(lines[1]).To(Equal(resultLine(`"after"`, "{}")))
		},
		Entry("words", `hello`, syntax, "null"),
		Entry("half a message", `{"jsonrpc":"2.0","id":1`, syntax, "null"),
		Entry("a brace too many", `{"jsonrpc":"2.0","id":1,"method":"ping"}}`, syntax, "null"),
		Entry("two in a line", `{"jsonrpc":"2.0","id":1,"method":"ping"} {"jsonrpc":"2.0","id":2,"method":"ping"}`, syntax, "null"),
		Entry("a comma too many", `{"jsonrpc":"2.0","id":1,"method":"ping",}`, syntax, "null"),
		Entry("a raw control character", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"pi\x01ng\"}", syntax, "null"),
		Entry("a number that JSON does not have", `{"jsonrpc":"2.0","id":NaN,"method":"ping"}`, syntax, "null"),
		Entry("a zero byte", "\x00", syntax, "null"),
		Entry("too much nesting", strings.Repeat(`[`, 20_000), syntax, "null"),
		Entry("a batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, invalid, "null"),
		Entry("an empty batch", `[]`, invalid, "null"),
		Entry("a number", `7`, invalid, "null"),
		Entry("a text", `"ping"`, invalid, "null"),
		Entry("null", `null`, invalid, "null"),
		Entry("an empty object", `{}`, invalid, "null"),
		Entry("no version", `{"id":1,"method":"ping"}`, invalid, "1"),
		Entry("another version", `{"jsonrpc":"1.0","id":"v","method":"ping"}`, invalid, `"v"`),
		Entry("an object for an id", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, invalid, "null"),
		Entry("null for an id", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, invalid, "null"),
		Entry("true for an id", `{"jsonrpc":"2.0","id":true,"method":"ping"}`, invalid, "null"),
		Entry("no method", `{"jsonrpc":"2.0","id":1}`, invalid, "1"),
		Entry("members in another case", `{"JSONRPC":"2.0","ID":1,"Method":"ping"}`, invalid, "null"),
		Entry("an empty method", `{"jsonrpc":"2.0","id":1,"method":""}`, invalid, "1"),
		Entry("a number for a method", `{"jsonrpc":"2.0","id":1,"method":7}`, invalid, "1"),
		Entry("more members than are read", `{"jsonrpc":"2.0","id":"x","method":"ping","params":{`+strings.Repeat(`"":1,`, 20_000)+`"a":1}}`, invalid, `"x"`),
		Entry("a list for params", `{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}`, params, "1"),
		Entry("a text for params", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":"x"}`, params, "1"),
		Entry("a number for params, before the method is unknown", `{"jsonrpc":"2.0","id":1,"method":"x","params":1}`, params, "1"),
	)

	DescribeTable("repeats only the beginning of a long text of the host",
		func(method, member string) {
			const long = 50_000
			text := strings.Repeat("y", long)
			w.use = failingUse(domain.ErrToolNotFound)
			w.open = func(_ context.Context, name domain.ToolboxName) (domain.OpenedToolbox, error) {
				return domain.OpenedToolbox{}, &domain.ToolboxNotFoundError{Toolbox: name}
			}
			fill := func(text, with string) string { return strings.ReplaceAll(text, "LONG", with) }
			for _, line := range []string{request("1", fill(method, text), `{`+fill(member, text)+`}`), modern("1", fill(method, text), fill(member, text))} {
				Expect(len(w.answer(line))).To(BeNumerically("<", 10<<10))
			}
			Expect(w.answer(request("1", fill(method, "short"), `{`+fill(member, "short")+`}`))).To(ContainSubstring("short"), "of which a short one is repeated whole")
		},
		Entry("a method", "LONG", ""),
		Entry("a tool", "tools/call", `"name":"LONG"`),
		Entry("a toolbox", "tools/call", `"name":"use_tool","arguments":{"tool":{"toolbox":"LONG","server":"s","tool":"t"}}`),
		Entry("a toolbox to open", "tools/call", `"name":"open_toolbox","arguments":{"toolbox":"LONG"}`),
		Entry("a member", "tools/call", `"name":"use_tool","arguments":{"tool":{"toolbox":"b","server":"s","tool":"t"},"LONG":1}`),
		Entry("a prompt", "prompts/get", `"name":"LONG"`),
		Entry("a resource", "resources/read", `"uri":"LONG"`),
		Entry("a template", "completion/complete", `"ref":{"type":"ref/resource","uri":"LONG"},"argument":{"name":"a","value":""}`),
		Entry("a task", "tasks/get", `"taskId":"LONG"`),
	)

	It("repeats only the beginning of a long protocol version", func() {
		version := strings.Repeat("9", 50_000)
		Expect(len(w.answer(request("1", "tools/list", `{"_meta":{"io.modelcontextprotocol/protocolVersion":"`+version+
			`","io.modelcontextprotocol/clientCapabilities":{}}}`)))).To(BeNumerically("<", 10<<10))
	})

	It("reads the first message after a byte order mark, which some hosts write there, and no other", func() {
		lines := w.converse("\ufeff"+request("1", "ping", ""), "\ufeff"+request("2", "ping", ""))

		Expect(lines).To(HaveLen(2))
		Expect(lines[0]).To(Equal(resultLine("1", "{}")))
		Expect(lines[1]).To(HavePrefix(fmt.Sprintf(`{"jsonrpc":"2.0","id":null,"error":{"code":%d`, syntax)))
	})

	DescribeTable("ignores",
		func(line string) {
			Expect(w.converse(line, request("1", "ping", ""))).To(Equal([]string{resultLine("1", "{}")}))
		},
		Entry("nothing", ""),
		Entry("blanks", " \t "),
		Entry("a carriage return", "\r"),
		Entry("a notification", notification("notifications/initialized", "{}")),
		Entry("an unknown notification", notification("x", "{}")),
		Entry("a notification with odd params", notification("notifications/cancelled", "[1]")),
		Entry("a cancel of nothing", cancellation(`"nothing"`)),
		Entry("a cancel of no id", cancellation(`{"a":1}`)),
		Entry("an unexpected answer", `{"jsonrpc":"2.0","id":9,"result":{}}`),
		Entry("an unexpected error", `{"jsonrpc":"2.0","id":"9","error":{"code":1,"message":"x"}}`),
		Entry("an error about a message that could not be read", `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}`),
	)

	DescribeTable("answers with the id in the host's bytes",
		func(id string) {
			Expect(w.answer(request(id, "ping", ""))).To(Equal(resultLine(id, "{}")))
		},
		Entry("zero", `0`), Entry("a negative number", `-1`), Entry("a number beyond 2^53", `9007199254740993`),
		Entry("a fraction", `1.50`), Entry("an exponent", `1e2`), Entry("an empty text", `""`), Entry("a text of digits", `"1"`),
		Entry("a text with escapes", `"\u0041\n\/"`), Entry("a long text", `"`+strings.Repeat("x", 5000)+`"`),
	)

	It("accepts members in any order, with white space, and uses the last of repeated ones", func() {
		Expect(w.answer(` { "params" : { } , "method":"x" , "id" : 1 , "method" : "ping", "x":[{}], "jsonrpc" : "2.0" } `)).To(Equal(resultLine("1", "{}")))
	})

	It("accepts a last line without a line end", func() {
		Expect(w.converse("", request("1", "ping", "")+"\r")).To(Equal([]string{resultLine("1", "{}")}))
	})

	It("refuses a line that is too long under its id, and continues", func() {
		w.limits.MessageSize = 1000
		long := strings.Repeat("x", 2000)

		Expect(w.converse(
			`{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":"`+long+`"}}`,
			`{"jsonrpc":"2.0","method":"ping","params":{"x":"`+long+`"},"id":"at the end"}`,
			long,
			request("8", "ping", `{"x":"`+long[:800]+`"}`),
		)).To(HaveExactElements(
			errorLine("7", -32600, "a message of 2058 bytes is over the limit of 1000 (limits.messageSize raises it)"),
			HavePrefix(`{"jsonrpc":"2.0","id":"at the end","error":{"code":-32600,`),
			HavePrefix(`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`),
			resultLine("8", "{}"),
		))
	})
})
