package jsonrpc_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/jsonrpc"
)

// lineOf returns the written line of a frame, with its end.
func lineOf(frame jsonrpc.Frame) string {
	var written bytes.Buffer
	writer := jsonrpc.NewWriter(&written, nil)
	if err := writer.Write(context.Background(), frame); err != nil {
		return err.Error()
	}
	if err := writer.Close(context.Background()); err != nil {
		return err.Error()
	}
	return written.String()
}

var _ = Describe("Framing", func() {
	raw := func(text string) json.RawMessage { return json.RawMessage(text) }

	DescribeTable("a message as one line",
		func(frame jsonrpc.Frame, line string) {
			Expect(lineOf(frame)).To(Equal(line + "\n"))
			Expect(frame.Len()).To(And(BeNumerically(">", len(line)), BeNumerically("<", len(line)+64)))
		},
		Entry("a result, with unchanged bytes of id and body", jsonrpc.Result(raw(`"a\/b"`), raw(`{ "n":1.50e400 }`)),
			`{"jsonrpc":"2.0","id":"a\/b","result":{ "n":1.50e400 }}`),
		Entry("a raw error", jsonrpc.RawError(raw("7"), raw(`{"code":1,"message":"m","x":[]}`)),
			`{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"m","x":[]}}`),
		Entry("an error", jsonrpc.Error(raw("7"), mcp.METHOD_NOT_FOUND, "no \"x\"\n"),
			`{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no \"x\"\n"}}`),
		Entry("an error about an id that could not be read", jsonrpc.Error(nil, mcp.PARSE_ERROR, "bad"),
			`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"bad"}}`),
		Entry("a request", jsonrpc.Request(18446744073709551615, "tools/call", raw(`{"a":[1, 2]}`)),
			`{"jsonrpc":"2.0","id":18446744073709551615,"method":"tools/call","params":{"a":[1, 2]}}`),
		Entry("a request without params", jsonrpc.Request(1, "ping", nil), `{"jsonrpc":"2.0","id":1,"method":"ping"}`),
		Entry("a notification", jsonrpc.Notification("n", raw(`{}`)), `{"jsonrpc":"2.0","method":"n","params":{}}`),
		Entry("a notification without params", jsonrpc.Notification(`a"b`, nil), `{"jsonrpc":"2.0","method":"a\"b"}`),
		Entry("a body that is not UTF-8, as valid UTF-8", jsonrpc.Result(raw("1"), raw("\"a\xff\xfeb\xe2\x82\"")),
			`{"jsonrpc":"2.0","id":1,"result":"a`+"\uFFFD"+`b`+"\uFFFD"+`"}`),
	)

	DescribeTable("a body with line ends as one line",
		func(body, written string) {
			given := raw(body)

			frame := jsonrpc.Result(raw("1"), given)

			Expect(lineOf(frame)).To(Equal(`{"jsonrpc":"2.0","id":1,"result":` + written + "}\n"))
			Expect(string(frame.Message())).To(Equal(`{"jsonrpc":"2.0","id":1,"result":` + body + "}"))
			Expect(string(given)).To(Equal(body), "others may use it")
		},
		Entry("a short one", "{\n\t\"a\": \"b\\n\"\r\n}", "{ \t\"a\": \"b\\n\"  }"),
		Entry("with carriage returns", "[1,\r2]", "[1, 2]"),
		Entry("a large one", "[\n\""+strings.Repeat("x", 1<<20)+"\"\n]", "[ \""+strings.Repeat("x", 1<<20)+"\" ]"),
	)

	It("also holds and queues a body with line ends as one line", func() {
		body := raw("{\n}")
		var written bytes.Buffer
		writer := jsonrpc.NewWriter(&written, nil)

		Expect(writer.Hold(jsonrpc.Result(raw("1"), body))).To(Succeed())
		Expect(writer.TryWrite(jsonrpc.Notification("n", body).Owned())).To(Succeed())
		Expect(writer.Close(context.Background())).To(Succeed())

		Expect(written.String()).To(Equal(`{"jsonrpc":"2.0","id":1,"result":{ }}` + "\n" + `{"jsonrpc":"2.0","method":"n","params":{ }}` + "\n"))
	})

	It("keeps the bytes of a long body, wherever its letters begin", func() {
		for _, letter := range []string{"é", "語", "🧰"} {
			for shift := range len(letter) {
				body := `"` + strings.Repeat("x", shift) + strings.Repeat(letter, 20_000) + `"`

				Expect(lineOf(jsonrpc.Result(raw("1"), raw(body)))).To(Equal(`{"jsonrpc":"2.0","id":1,"result":` + body + "}\n"))
				Expect(lineOf(jsonrpc.Result(raw("1"), raw(body[:40_001]+"\xff\n")))).To(HaveSuffix("\uFFFD }\n"))
			}
		}
	})

	DescribeTable("a result with a member before its own",
		func(result, framed string) {
			frame := jsonrpc.ResultWith(raw("1"), raw(`"a":1`), raw(result), false)

			Expect(lineOf(frame)).To(Equal(`{"jsonrpc":"2.0","id":1,"result":` + framed + "}\n"))
		},
		Entry("with members", `{"b":2}`, `{"a":1,"b":2}`), Entry("without any", `{}`, `{"a":1}`),
		Entry("with white space", "{ \"b\":2}", "{\"a\":1, \"b\":2}"), Entry("with only white space", "{\t}", "{\"a\":1\t}"),
		Entry("that is not UTF-8 and has line ends", "{\n\"b\":\"\xff\"}", "{\"a\":1, \"b\":\"\uFFFD\"}"),
	)

	It("does not inspect a body that is known to be clean", func() {
		Expect(lineOf(jsonrpc.ResultWith(raw("1"), nil, raw("[\n]"), true))).To(HaveSuffix(":[\n]}\n"))
		Expect(lineOf(jsonrpc.CleanRequest(1, "m", raw("{\r}")))).To(HaveSuffix(":{\r}}\n"))
	})

	It("returns a message in a reused buffer", func() {
		for _, size := range []int{10, 1 << 20} {
			for _, letter := range "ab" {
				frame := jsonrpc.Result(raw("1"), raw(`"`+strings.Repeat(string(letter), size)+`"`))

				message := frame.LargeMessage()

				Expect(string(message)).To(Equal(string(frame.Message())))
				jsonrpc.Recycle(message)
			}
		}
	})

	It("does not copy a large body", func() {
		body := raw(`"` + string(bytes.Repeat([]byte{'x'}, 1<<20)) + `"`)

		frame := jsonrpc.Result(raw("1"), body)
		body[1] = 'y'

		Expect(lineOf(frame)).To(HavePrefix(`{"jsonrpc":"2.0","id":1,"result":"yxx`))
	})
})
