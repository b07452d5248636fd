package mcpclient_test

import (
	"context"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/ports"
)

var _ = Describe("The words of ports and those of the protocol", func() {
	DescribeTable("name the same notification of a server:", func(method string, kind ports.NotificationKind) {
		inBubble(func(c *connection) {
			c.session()

			c.say(`{"jsonrpc":"2.0","method":"` + method + `","params":{"a":1.0}}`)
			synctest.Wait()

			Expect(c.host.kinds).To(Equal([]ports.NotificationKind{kind}))
			Expect(c.host.heard).To(Equal([]string{method}))
		})
	},
		Entry(nil, "notifications/message", ports.LogMessage),
		Entry(nil, "notifications/tools/list_changed", ports.ToolsChanged),
		Entry(nil, "notifications/prompts/list_changed", ports.PromptsChanged),
		Entry(nil, "notifications/resources/list_changed", ports.ResourcesChanged),
		Entry(nil, "notifications/resources/updated", ports.ResourceUpdated),
		Entry(nil, "notifications/tasks/status", ports.TaskStatus),
		Entry(nil, "notifications/elicitation/complete", ports.ElicitationComplete),
		Entry(nil, "notifications/x", ports.UnknownNotification),
		Entry(nil, "notifications/Message", ports.UnknownNotification),
	)

	DescribeTable("name the subject of a notification:", func(method, params, subject string) {
		inBubble(func(c *connection) {
			c.session()

			c.say(`{"jsonrpc":"2.0","method":"` + method + `","params":` + params + `}`)
			synctest.Wait()

			Expect(c.host.subjects).To(Equal([]string{subject}))
		})
	},
		Entry("the resource", "notifications/resources/updated", `{"uri":"a:\/\/b"}`, "a://b"),
		Entry("the task", "notifications/tasks/status", `{"taskId":"t"}`, "t"),
		Entry("none, if two resources are named", "notifications/resources/updated", `{"uri":"a","uri":"b"}`, ""),
		Entry("none, if one of two is named with an escaped key", "notifications/resources/updated", `{"u\u0072i":"a","uri":"b"}`, ""),
		Entry("none, if one of two is named with a key in another case", "notifications/resources/updated", `{"uri":"a","Uri":"b"}`, ""),
		Entry("none, if the name is no text", "notifications/resources/updated", `{"uri":7}`, ""),
		Entry("none of other kinds", "notifications/message", `{"uri":"a"}`, ""),
	)

	It("name the same request to a server", func() {
		inBubble(func(c *connection) {
			session := c.session()
			about := ports.Request{Message: ports.Message{Params: []byte(`{"uri":"a:\/\/b"}`)}, Limit: time.Second}
			var pinged error

			session.Subscribe(context.Background(), about, func(ports.Answer, error) {})
			session.Unsubscribe(context.Background(), about, func(ports.Answer, error) {})
			session.Ping(context.Background(), time.Minute, func(err error) { pinged = err })
			session.AnnounceRootsChanged()

			Expect(c.methods()[2:]).To(Equal([]string{
				"resources/subscribe", "resources/unsubscribe", "ping", "notifications/roots/list_changed",
			}))
			Expect(string(c.heard("resources/subscribe")[0].Params)).To(Equal(`{"uri":"a:\/\/b"}`))
			Expect(string(c.heard("resources/unsubscribe")[0].Params)).To(Equal(`{"uri":"a:\/\/b"}`))
			Expect(pinged).NotTo(HaveOccurred())
		})
	})

	It("call an error an answer to a ping, and silence a failure", func() {
		inBubble(func(c *connection) {
			session := c.session()
			outcomes := make(chan error, 2)
			note := func(err error) { outcomes <- err }
			session.Ping(context.Background(), time.Second, note)
			time.Sleep(2 * time.Second)
			c.answer("ping", refusal(-32601))
			session.Ping(context.Background(), time.Second, note)
			c.methods()

			Expect(<-outcomes).To(HaveOccurred())
			Expect(<-outcomes).NotTo(HaveOccurred())
		})
	})
})
