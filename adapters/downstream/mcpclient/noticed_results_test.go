package mcpclient_test

import (
	"bytes"
	"context"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/ports"
)

var _ = Describe("What is noticed about a result while it is read", func() {
	called := func(members string) (got ports.Answer) {
		GinkgoHelper()
		inBubble(func(c *connection) {
			c.answer("tools/call", members)
			c.session().CallTool(context.Background(), ports.ToolCall{Name: "a", Arguments: []byte("{}")}, func(answer ports.Answer, err error) {
				Expect(err).NotTo(HaveOccurred())
				got = answer
			})
			settle()
		})
		return got
	}

	DescribeTable("is its type",
		func(members string, want ports.ResultType) {
			got := called(members)

			Expect(got.Reading.ResultType(got.Result)).To(Equal(want))
			Expect(got.Reading.ResultType(bytes.Clone(got.Result))).To(Equal(ports.UnknownResult), "of a copy nothing is known")
		},
		Entry("without one", `"result":{"content":[{"resultType":"x","inputRequests":{}}]}`, ports.UntypedResult),
		Entry("without members", `"result":{}`, ports.UntypedResult),
		Entry("complete", `"result":{"content":[],"resultType":"complete"}`, ports.CompleteResult),
		Entry("input_required", `"result":{"resultType":"input_required"}`, ports.UnknownResult),
		Entry("with escapes", `"result":{"resultType":"input\u005frequired"}`, ports.UnknownResult),
		Entry("with escapes in its name", `"result":{"result\u0054ype":"input_required"}`, ports.UnknownResult),
		Entry("in capitals", `"result":{"RESULTTYPE":"complete"}`, ports.UnknownResult),
		Entry("twice", `"result":{"resultType":"complete","resultType":"input_required"}`, ports.UnknownResult),
		Entry("twice the same", `"result":{"resultType":"complete","resultType":"complete"}`, ports.UnknownResult),
		Entry("with requests", `"result":{"resultType":"complete","inputRequests":{}}`, ports.UnknownResult),
		Entry("with requests in capitals", `"result":{"INPUTREQUESTS":{}}`, ports.UnknownResult),
		Entry("not a string", `"result":{"resultType":1}`, ports.UnknownResult),
		Entry("not an object", `"result":[{"a":1}]`, ports.UnknownResult),
		Entry("an object, and then a list", `"result":{},"result":[]`, ports.UnknownResult),
		Entry("a complete one, and then another", `"result":{"resultType":"complete"},"result":{}`, ports.UntypedResult),
		Entry("one that asks, and then another", `"result":{"inputRequests":{}},"result":{"a":1}`, ports.UntypedResult),
		Entry("one, and then one that asks", `"result":{},"result":{"inputRequests":{}}`, ports.UnknownResult),
	)

	DescribeTable("is whether it can stand in a line as it is",
		func(result string, clean bool) {
			got := called(`"result":` + result)

			Expect(got.Reading.Clean(got.Result)).To(Equal(clean))
			Expect(got.Reading.Clean(bytes.Clone(got.Result))).To(BeFalse(), "of a copy nothing is known")
		},
		Entry("ASCII", `{"a": "b\n"}`, true), Entry("letters beyond it", `{"a":"`+strings.Repeat("語", 100)+`"}`, true),
		Entry("a carriage return", "{\r}", false), Entry("bytes that are not UTF-8", `{"a":"`+strings.Repeat("語", 100)+"\xff\"}", false),
		Entry("letters that are cut", "{\"a\":\"\xe8\xaa\"}", false),
	)
})
