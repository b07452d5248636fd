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

var _ = Describe("The resources and tasks in a result of a tool", func() {
	DescribeTable("are found when the server has them", Label("S23"),
		func(result string, resources []string, task string) {
			inBubble(func(c *connection) {
				c.answer("initialize", `"result":{"protocolVersion":"2025-11-25","capabilities":{"resources":{},"tasks":{}}}`)
				c.answer("tools/call", `"result":`+result)
				var got ports.Answer

				c.session().CallTool(context.Background(), ports.ToolCall{Name: "a", Arguments: []byte("{}")},
					func(answer ports.Answer, _ error) { got = answer })
				settle()

				Expect(got.Resources).To(Equal(resources))
				Expect(got.Task).To(Equal(task))
			})
		},
		Entry("a link", `{"content":[{"type":"resource_link","uri":"file:\/\/a"},{"type":"text","text":"\"uri\""}]}`, []string{"file://a"}, ""),
		Entry("an embedded resource", `{"content":[{"type":"resource","resource":{"uri":"b","text":"x"}},{"uri":"c"}]}`, []string{"b", "c"}, ""),
		Entry("a task", `{"task":{"taskId":"t 1","status":"working"}}`, nil, "t 1"),
		Entry("an empty content", `{"content":[]}`, nil, ""), Entry("a content that is not a list", `{"content":{"uri":"x"}}`, nil, ""),
		Entry("a task with an id of 257 bytes", `{"task":{"taskId":"`+strings.Repeat("t", 257)+`"}}`, nil, ""),
		Entry("a task without a name", `{"task":{"taskId":7}}`, nil, ""), Entry("a result that is not an object", `["uri","taskId"]`, nil, ""),
	)

	It("are not looked for in results of other servers", func() {
		inBubble(func(c *connection) {
			c.answer("tools/call", `"result":{"content":[{"uri":"a"}],"task":{"taskId":"t"}}`)
			var got ports.Answer

			c.session().CallTool(context.Background(), ports.ToolCall{Name: "a", Arguments: []byte("{}")},
				func(answer ports.Answer, _ error) { got = answer })
			settle()

			Expect(got.Resources).To(BeNil())
			Expect(got.Task).To(BeEmpty())
		})
	})
})
