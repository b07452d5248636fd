package mcpclient_test

import (
	"context"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/ports"
)

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
