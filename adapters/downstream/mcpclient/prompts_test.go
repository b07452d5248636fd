package mcpclient_test

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

var _ = Describe("A list of prompts", func() {
	list := func(c *connection) domain.PromptList {
		GinkgoHelper()
		return spec.Must(c.session().ListPrompts(context.Background()))
	}

	It("is empty when the server does not support prompts", func() {
		inBubble(func(c *connection) {
			c.answer("prompts/list", refusal(-32601))

			Expect(list(c)).To(BeZero())
		})
	})

	DescribeTable("fails when the answer is", func(answer, why string) {
		inBubble(func(c *connection) {
			c.answer("prompts/list", answer)

			_, err := c.session().ListPrompts(context.Background())

			Expect(reason(err)).To(And(HavePrefix("listing its prompts: "), ContainSubstring(why)))
		})
	},
		Entry("a list", `"result":[]`, "the answer to prompts/list: not a JSON object"),
		Entry("an error with a secret", `"error":{"code":-1,"message":"hunter2hunter2"}`, "${TOKEN}"),
	)
})

var _ = Describe("Getting a prompt", func() {
	modern := func(c *connection, capabilities string) *mcpclient.Session {
		c.answer("initialize", refusal(-32601))
		c.answer("server/discover", `"result":{"capabilities":`+capabilities+`}`)
		return c.session()
	}
	get := func(session *mcpclient.Session, request ports.Request) *outcome {
		o := &outcome{}
		request.Method = "prompts/get"
		session.Request(context.Background(), request, func(answer ports.Answer, err error) { o.add(answer.Result, answer.Error, err) })
		return o
	}
	const wanted = `"result":{"resultType":"input_required","inputRequests":{}}`

	It("continues with the caller's input until a server of 2026-07-28 has a result", func() {
		inBubble(func(c *connection) {
			session := modern(c, `{"prompts":{}}`)
			c.answer("prompts/get", wanted, wanted, `"result":{"messages":[]}`)
			rounds := 0
			params := []byte(`{"name":"a","x":1.0,"inputResponses":{"old":1}}`)

			o := get(session, ports.Request{
				Message: ports.Message{Params: params}, LogLevel: "error", Progress: func(ports.Progress) {},
				Input: func(_ json.RawMessage, supply func(json.RawMessage, error)) {
					rounds++
					more := []string{`"inputResponses":{"n":1},"requestState":"s1"`, `"requestState":"s2"`}[rounds-1]
					go supply([]byte(more), nil)
				},
			})
			copy(params, "its bytes are not needed") // once Request returned

			Expect(o.answered()).To(Equal(`{"messages":[]}`))
			asked := c.heard("prompts/get")
			Expect(asked).To(HaveLen(3))
			const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"workbench","version":"1"},` +
				`"io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/logLevel":"error","progressToken":1}`
			Expect(asked[0].Params).To(MatchJSON(`{"name":"a","x":1.0,"inputResponses":{"old":1},` + meta + `}`))
			Expect(asked[1].Params).To(MatchJSON(`{"name":"a","x":1.0,"inputResponses":{"n":1},"requestState":"s1",` + meta + `}`))
			Expect(asked[2].Params).To(MatchJSON(`{"name":"a","x":1.0,"requestState":"s2",` + meta + `}`))
		})
	})

	It("sets the log level of an older server, and leaves the request unchanged", func() {
		inBubble(func(c *connection) {
			c.answer("initialize", `"result":{"protocolVersion":"2025-11-25","capabilities":{"prompts":{},"logging":{}}}`)
			c.answer("prompts/get", `"result":{"messages":[]}`)

			o := get(c.session(), ports.Request{Message: ports.Message{Params: []byte(`{"name":"a" }`)}, LogLevel: "error"})

			Expect(o.answered()).To(Equal(`{"messages":[]}`))
			Expect(c.heard("logging/setLevel")).To(HaveLen(1))
			Expect(string(c.heard("prompts/get")[0].Params)).To(Equal(`{"name":"a" }`))
		})
	})

	It("gives up a change of the log level that the server does not answer", Label("W09"), func() {
		inBubble(func(c *connection) {
			c.answer("initialize", `"result":{"protocolVersion":"2025-11-25","capabilities":{"logging":{}}}`)
			c.session().SetLogLevel("debug")

			time.Sleep(10 * time.Second)
			settle()

			Expect(c.heard("notifications/cancelled")).To(HaveLen(1))
			Expect(string(c.heard("notifications/cancelled")[0].Params)).To(ContainSubstring(`"requestId":` + string(c.heard("logging/setLevel")[0].ID)))
		})
	})

	It("ends at the limit on the whole request, despite progress", func() {
		inBubble(func(c *connection) {
			session := c.session()

			o := get(session, ports.Request{Limit: time.Minute, TotalLimit: 90 * time.Second, Progress: func(ports.Progress) {}})
			for range 3 {
				time.Sleep(40 * time.Second)
				c.say(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}`)
			}
			settle()

			Expect(o.failed()).To(MatchError(domain.ErrTimedOut))
			Expect(c.heard("notifications/cancelled")).To(HaveLen(1))
		})
	})

	DescribeTable("finds the resources in its messages", func(result string, resources []string) {
		inBubble(func(c *connection) {
			c.answer("initialize", `"result":{"protocolVersion":"2025-11-25","capabilities":{"prompts":{},"resources":{}}}`)
			c.answer("prompts/get", `"result":`+result)
			var got ports.Answer
			request := ports.Request{Message: ports.Message{Method: "prompts/get"}}

			c.session().Request(context.Background(), request, func(answer ports.Answer, _ error) { got = answer })
			settle()

			Expect(got.Resources).To(Equal(resources))
		})
	},
		Entry("embedded and linked", `{"messages":[{"role":"user","content":{"type":"resource","resource":{"uri":"a","text":"x"}}},`+
			`{"content":{"type":"resource_link","uri":"b"}},{"content":{"type":"text","text":"\"uri\""}}]}`, []string{"a", "b"}),
		Entry("none", `{"messages":[]}`, nil), Entry("messages that are not a list", `{"messages":{"uri":"x"}}`, nil),
		Entry("a content that is not an object", `{"messages":["uri",{"content":"uri"}]}`, nil),
	)
})

var _ = Describe("Changes of lists", func() {
	It("count as possible for all that are subscribed to, after the subscription was cut", func() {
		inBubble(func(c *connection) {
			c.answer("initialize", refusal(-32601))
			c.answer("server/discover", `"result":{"capabilities":{"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"listChanged":true}}}`)
			c.session()
			id := spec.Must(strconv.ParseUint(string(c.heard("subscriptions/listen")[0].ID), 10, 64))

			c.End(id, mcpclient.Answer{}, errors.New("cut"))
			time.Sleep(time.Second)
			settle()

			Expect(c.heard("subscriptions/listen")).To(HaveLen(2))
			Expect(c.host.heard).To(ConsistOf(
				"notifications/tools/list_changed", "notifications/prompts/list_changed", "notifications/resources/list_changed"))
		})
	})
})

var _ = Describe("Changes of prompts", func() {
	It("are subscribed to at a server of 2026-07-28 that declares them", func() {
		inBubble(func(c *connection) {
			c.answer("initialize", refusal(-32601))
			c.answer("server/discover", `"result":{"capabilities":{"prompts":{"listChanged":true}}}`)
			c.session()

			Expect(c.heard("subscriptions/listen")).To(HaveExactElements(
				HaveField("Params", ContainSubstring(`"notifications":{"promptsListChanged":true}`))))
		})
	})
})
