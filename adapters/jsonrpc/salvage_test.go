package jsonrpc_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/jsonrpc"
)

var _ = Describe("Salvaging the id of a message that cannot be read whole", func() {
	DescribeTable("finds it",
		func(head, tail, id string) {
			Expect(member(jsonrpc.SalvageID([]byte(head), []byte(tail)))).To(Equal(id))
		},
		Entry("first", `{"id":7,"result":{"te`, "", "7"),
		Entry("behind the version", `{"jsonrpc":"2.0","id":"a-1","result":`, "", `"a-1"`),
		Entry("behind version and method", ` { "method" : "tools/call" , "jsonrpc":"2.0", "id" : -3 , "par`, "", "-3"),
		Entry("last", `{"jsonrpc":"2.0","result":{"id":1,"x":`, `xxx"}]},"id":42}`, "42"),
		Entry("last, with white space", `{"result":"`, "x\" , \"id\" : \"b\" }\r", `"b"`),
	)

	DescribeTable("does not guess",
		func(head, tail string) {
			Expect(jsonrpc.SalvageID([]byte(head), []byte(tail))).To(BeNil())
		},
		Entry("from nothing", "", ""),
		Entry("inside a result", `{"jsonrpc":"2.0","result":{"id":7,"text":"xx`, `xx"}}`),
		Entry("inside a text", `{"jsonrpc":"2.0","result":"{\"id\":7,`, `xxx`),
		Entry("behind a nested value", `{"result":{},"id":7,"x":`, `xxx`),
		Entry("at the end of an inner object", `{"result":{`, `,"id":7}}`),
		Entry("an id that may continue", `{"jsonrpc":"2.0","id":7`, ``),
		Entry("an id of another kind", `{"id":{"a":1},"x":`, `x`),
		Entry("an id with escapes", `{"id":"a\"b","x":`, `x`),
		Entry("an id with a control", "{\"id\":\"a\nb\",\"x\":", "{\"x\":1,\"id\":\"\x01\"}"),
		Entry("an id that is not UTF-8", "{\"id\":\"a\xffb\",\"x\":", ""),
		Entry("a number with zeros before it", `{"id":007,"x":`, `{"x":1,"id":-01}`),
		Entry("a fraction", `{"id":1.5,"x":`, `x`),
		Entry("a name in another case", `{"ID":1,"x":`, `x`),
	)
})
