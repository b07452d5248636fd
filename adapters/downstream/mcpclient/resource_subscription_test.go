package mcpclient_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Following a resource of a server of 2026-07-28", func() {
	const (
		listen = "subscriptions/listen"
		own    = `"a://own"`
		empty  = "{}"
	)
	open := func(c *connection) *mcpclient.Session {
		GinkgoHelper()
		c.answer("initialize", refusal(-32601))
		c.answer("server/discover", `"result":{"capabilities":{"resources":{"subscribe":true}}}`)
		return c.session()
	}
	request := func(ctx context.Context, ask func(context.Context, ports.Request, ports.Reply)) *outcome {
		o := &outcome{}
		ask(ctx, ports.Request{
			Message: ports.Message{Params: []byte(`{"uri":"a:\/\/own","_meta":{"traceparent":"x"}}`)}, Limit: time.Minute,
		}, func(answer ports.Answer, err error) { o.add(answer.Result, answer.Error, err) })
		return o
	}
	read := func(session *mcpclient.Session) *outcome {
		return request(context.Background(), func(ctx context.Context, asked ports.Request, reply ports.Reply) {
			asked.Method = "resources/read"
			session.Request(ctx, asked, reply)
		})
	}
	subscribe := func(session *mcpclient.Session) *outcome {
		return request(context.Background(), session.Subscribe)
	}
	unsubscribe := func(session *mcpclient.Session) *outcome {
		return request(context.Background(), session.Unsubscribe)
	}
	acknowledge := func(c *connection, m message, uris string) {
		c.say(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"resourceSubscriptions":[` +
			uris + `]},"_meta":{"io.modelcontextprotocol/subscriptionId":` + string(m.ID) + `}}}`)
		settle()
	}
	// ended returns which subscriptions the server was told to end, by their place.
	ended := func(c *connection) []int {
		GinkgoHelper()
		places := []int{}
		for _, cancel := range c.heard("notifications/cancelled") {
			var params struct{ RequestID json.RawMessage }
			Expect(json.Unmarshal(cancel.Params, &params)).To(Succeed())
			for i, m := range c.heard(listen) {
				if string(m.ID) == string(params.RequestID) {
					places = append(places, i)
				}
			}
		}
		return places
	}
	// stands subscribes with success.
	stands := func(c *connection, session *mcpclient.Session) {
		GinkgoHelper()
		o := subscribe(session)
		heard := c.heard(listen)
		acknowledge(c, heard[len(heard)-1], own)
		Expect(o.answered()).To(Equal(empty))
	}
	cut := func(c *connection, m message) { c.say(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":{}}`) }

	It("is answered when the server acknowledges the subscription", func() {
		inBubble(func(c *connection) {
			session := open(c)

			first := subscribe(session)
			Expect(c.heard(listen)).To(HaveLen(1))
			Expect(string(c.heard(listen)[0].Params)).To(ContainSubstring(`"notifications":{"resourceSubscriptions":[` + own + `]}`))
			Expect(string(c.heard(listen)[0].Params)).To(ContainSubstring(`"traceparent":"x"`))
			c.say(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"resourceSubscriptions":[` + own + `]}}}`)
			Expect(first.replies()).To(BeZero())
			acknowledge(c, c.heard(listen)[0], `"b://b",`+own)

			Expect(first.answered()).To(Equal(empty))
			time.Sleep(time.Hour)
			Expect(ended(c)).To(BeEmpty())
			Expect(c.heard("resources/subscribe")).To(BeEmpty())
			Expect(c.host.heard).To(BeEmpty())
		})
	})

	It("passes on the server's updates without the subscription id", func() {
		inBubble(func(c *connection) {
			stands(c, open(c))

			c.say(`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1},"uri":`+own+`,"x":1.0}}`,
				`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"_meta": {"y":1.0}, "uri":`+own+`}}`,
				`{"jsonrpc":"2.0","method":"notifications/resources/list_changed","params":{"_meta":{"y":2.0,"io.modelcontextprotocol/subscriptionId":"1"}}}`)

			settle()
			Expect(c.host.params).To(Equal([]string{
				`{"uri":` + own + `,"x":1.0}`, `{"_meta": {"y":1.0}, "uri":` + own + `}`, `{"_meta":{"y":2.0}}`,
			}))
		})
	})

	It("ends when the host unsubscribes once", func() {
		inBubble(func(c *connection) {
			session := open(c)
			stands(c, session)

			Expect(unsubscribe(session).answered()).To(Equal(empty))
			Expect(ended(c)).To(Equal([]int{0}))
			Expect(unsubscribe(session).answered()).To(Equal(empty))
			Expect(ended(c)).To(Equal([]int{0}))
			Expect(c.heard("resources/unsubscribe")).To(BeEmpty())
			time.Sleep(time.Hour)
			Expect(c.heard(listen)).To(HaveLen(1))
		})
	})

	It("moves to a later subscription once that is acknowledged, and not before", func() {
		inBubble(func(c *connection) {
			session := open(c)
			stands(c, session)

			again := subscribe(session)
			Expect(c.heard(listen)).To(HaveLen(2))
			Expect(ended(c)).To(BeEmpty())
			acknowledge(c, c.heard(listen)[1], own)

			Expect(again.answered()).To(Equal(empty))
			Expect(ended(c)).To(Equal([]int{0}))
			unsubscribe(session)
			Expect(ended(c)).To(Equal([]int{0, 1}))
		})
	})

	It("continues when a later subscription is refused", func() {
		inBubble(func(c *connection) {
			session := open(c)
			stands(c, session)

			again := subscribe(session)
			acknowledge(c, c.heard(listen)[1], "")

			Expect(again.answered()).To(ContainSubstring("-32002"))
			Expect(ended(c)).To(Equal([]int{1}))
		})
	})

	It("is answered when the host unsubscribes before the server acknowledged", func() {
		inBubble(func(c *connection) {
			session := open(c)
			waiting := subscribe(session)
			Expect(c.heard(listen)).To(HaveLen(1))

			unsubscribe(session)

			Expect(waiting.answered()).To(Equal(empty))
			Expect(ended(c)).To(Equal([]int{0}))
		})
	})

	It("ends when the host cancels the pending request", func() {
		inBubble(func(c *connection) {
			session := open(c)
			ctx, cancel := context.WithCancel(context.Background())
			waiting := request(ctx, session.Subscribe)
			Expect(c.heard(listen)).To(HaveLen(1))

			cancel()

			Expect(waiting.failed()).To(MatchError(context.Canceled))
			Expect(ended(c)).To(Equal([]int{0}))
		})
	})

	It("continues when the host cancels a request that was answered already", func() {
		inBubble(func(c *connection) {
			session := open(c)
			ctx, cancel := context.WithCancel(context.Background())
			request(ctx, session.Subscribe)
			acknowledge(c, c.heard(listen)[0], own)

			cancel()

			Expect(ended(c)).To(BeEmpty())
		})
	})

	DescribeTable("is refused", func(say func(c *connection, m message), wanted string) {
		inBubble(func(c *connection) {
			waiting := subscribe(open(c))

			say(c, c.heard(listen)[0])

			Expect(waiting.answered()).To(ContainSubstring(wanted))
			time.Sleep(time.Hour)
			Expect(c.heard(listen)).To(HaveLen(1))
		})
	},
		Entry("in the server's own words", func(c *connection, m message) {
			c.say(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"error":{"code":-5, "message":"no"}}`)
		}, `{"code":-5, "message":"no"}`),
		Entry("when something else is acknowledged", func(c *connection, m message) { acknowledge(c, m, `"b://b"`) }, "-32002"),
		Entry("when nothing is acknowledged", func(c *connection, m message) { cut(c, m) }, "-32002"),
	)

	It("is refused, without a message to the server, when the server has no subscriptions", func() {
		inBubble(func(c *connection) {
			c.answer("initialize", refusal(-32601))
			c.answer("server/discover", `"result":{"capabilities":{"resources":{}}}`)

			Expect(subscribe(c.session()).answered()).To(ContainSubstring("-32601"))
			Expect(c.methods()).To(Equal([]string{"initialize", "server/discover"}))
		})
	})

	It("fails when the server is silent until the limit", func() {
		inBubble(func(c *connection) {
			waiting := subscribe(open(c))
			time.Sleep(time.Minute)

			Expect(waiting.failed()).To(MatchError(domain.ErrTimedOut))
			Expect(ended(c)).To(Equal([]int{0}))
		})
	})

	It("begins again after its end, and reports that updates may be missing", func() {
		inBubble(func(c *connection) {
			session := open(c)
			stands(c, session)

			cut(c, c.heard(listen)[0])
			time.Sleep(time.Second)
			Expect(c.heard(listen)).To(HaveLen(2))
			Expect(c.host.heard).To(BeEmpty())
			acknowledge(c, c.heard(listen)[1], own)
			Expect(c.host.heard).To(Equal([]string{"notifications/resources/updated"}))
			Expect(c.host.params).To(Equal([]string{`{"uri":` + own + `}`}))

			unsubscribe(session)
			Expect(ended(c)).To(Equal([]int{1}))
		})
	})

	It("does not begin again when the host has unsubscribed or the server refuses", func() {
		inBubble(func(c *connection) {
			session := open(c)
			stands(c, session)
			cut(c, c.heard(listen)[0])
			settle()
			unsubscribe(session)
			time.Sleep(time.Hour)
			Expect(c.heard(listen)).To(HaveLen(1))

			stands(c, session)
			c.answer(listen, refusal(-5))
			cut(c, c.heard(listen)[1])
			time.Sleep(time.Hour)
			Expect(c.heard(listen)).To(HaveLen(3))
		})
	})

	It("does not count towards the limit on requests in flight", func() {
		spec.Bubble(func(*testing.T) {
			c := newLimitedConnection(1)
			defer c.end()
			session := open(c)
			c.answer("resources/read", `"result":{}`)

			stands(c, session)

			Expect(read(session).answered()).To(Equal(empty))
			unsubscribe(session)
			Expect(ended(c)).To(Equal([]int{0}))
			c.answer("resources/read", "")
			read(session)
			Expect(reason(read(session).failed())).To(ContainSubstring("limits.inFlight"))
		})
	})
})
