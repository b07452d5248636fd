package jsonrpc_test

import (
	"bytes"
	"context"
	"encoding/json"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/jsonrpc"
)

// lineOf returns the line that a frame is written as, with its end.
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
			Expect(frame.Len()).To(Equal(len(line) + 1))
		},
		Entry("a result, id and body in their own bytes", jsonrpc.Result(raw(`"a\/b"`), raw(`{ "n":1.50e400 }`)),
			`{"jsonrpc":"2.0","id":"a\/b","result":{ "n":1.50e400 }}`),
		Entry("a raw error", jsonrpc.RawError(raw("7"), raw(`{"code":1,"message":"m","x":[]}`)),
			`{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"m","x":[]}}`),
		Entry("an error", jsonrpc.Error(raw("7"), jsonrpc.CodeMethodNotFound, "no \"x\"\n"),
			`{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no \"x\"\n"}}`),
		Entry("an error about an id that could not be read", jsonrpc.Error(nil, jsonrpc.CodeParse, "bad"),
			`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"bad"}}`),
		Entry("a request", jsonrpc.Request(18446744073709551615, "tools/call", raw(`{"a":[1, 2]}`)),
			`{"jsonrpc":"2.0","id":18446744073709551615,"method":"tools/call","params":{"a":[1, 2]}}`),
		Entry("a request without params", jsonrpc.Request(1, "ping", nil), `{"jsonrpc":"2.0","id":1,"method":"ping"}`),
		Entry("a notification", jsonrpc.Notification("n", raw(`{}`)), `{"jsonrpc":"2.0","method":"n","params":{}}`),
		Entry("a notification without params", jsonrpc.Notification(`a"b`, nil), `{"jsonrpc":"2.0","method":"a\"b"}`),
		Entry("a body that is not UTF-8 as one that is", jsonrpc.Result(raw("1"), raw("\"a\xff\xfeb\xe2\x82\"")),
			`{"jsonrpc":"2.0","id":1,"result":"a`+"\uFFFD"+`b`+"\uFFFD"+`"}`),
	)

	It("does not copy a large body", func() {
		body := raw(`"` + string(bytes.Repeat([]byte{'x'}, 1<<20)) + `"`)

		frame := jsonrpc.Result(raw("1"), body)
		body[1] = 'y'

		Expect(lineOf(frame)).To(HavePrefix(`{"jsonrpc":"2.0","id":1,"result":"yxx`))
	})
})
