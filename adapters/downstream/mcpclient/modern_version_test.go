package mcpclient_test

import (
	"context"
	"encoding/json"
	"errors"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/ports"
)

var _ = Describe("Speaking 2026-07-28", func() {
	modern := func(c *connection, capabilities string) *mcpclient.Session {
		GinkgoHelper()
		c.answer("initialize", refusal(-32601))
		c.answer("server/discover", `"result":{"capabilities":`+capabilities+`}`)
		return c.session()
	}
	call := func(session *mcpclient.Session, call ports.ToolCall) *outcome {
		o := &outcome{}
		call.Name, call.Arguments = "read", []byte("{}")
		session.CallTool(context.Background(), call, func(answer ports.Answer, err error) { o.add(answer.Result, answer.Error, err) })
		return o
	}
	const prefix = "io.modelcontextprotocol/"

	It("sends version, name and the host's current capabilities with every request", func() {
		inBubble(func(c *connection) {
			session := modern(c, `{"tools":{}}`)
			c.answer("tools/list", `"result":{"tools":[]}`)
			c.host.capabilities = `{"roots":{}}`

			_, err := session.ListTools(context.Background())
			call(session, ports.ToolCall{Meta: []byte(`"x":1`), LogLevel: "debug", Progress: func(ports.Progress) {}})
			session.Request(context.Background(), ports.Request{Message: ports.Message{
				Method: "tasks/get", Params: []byte(`{"taskId":"t","_meta":{"y":2}}`),
			}}, func(ports.Answer, error) {})

			Expect(err).NotTo(HaveOccurred())
			always := `"` + prefix + `protocolVersion":"2026-07-28","` + prefix + `clientInfo":{"name":"workbench","version":"1"},"` +
				prefix + `clientCapabilities":`
			Expect(c.heard("server/discover")[0].Params).To(MatchJSON(`{"_meta":{` + always + `{}}}`))
			Expect(c.heard("tools/list")[0].Params).To(MatchJSON(`{"_meta":{` + always + `{"roots":{}}}}`))
			Expect(c.heard("tools/call")[0].Params).To(MatchJSON(
				`{"name":"read","arguments":{},"_meta":{"x":1,` + always + `{"roots":{}},"` + prefix + `logLevel":"debug","progressToken":1}}`))
			Expect(c.heard("tasks/get")[0].Params).To(MatchJSON(`{"taskId":"t","_meta":{"y":2,` + always + `{"roots":{}}}}`))
		})
	})

	It("subscribes to the changes that the server declares, and to no others", func() {
		inBubble(func(c *connection) {
			modern(c, `{"tools":{"listChanged":true},"resources":{}}`)

			Expect(c.heard("subscriptions/listen")).To(HaveLen(1))
			Expect(string(c.heard("subscriptions/listen")[0].Params)).To(ContainSubstring(`"toolsListChanged":true`))
			Expect(string(c.heard("subscriptions/listen")[0].Params)).NotTo(ContainSubstring(`resourcesListChanged":true`))
		})
		inBubble(func(c *connection) {
			modern(c, `{"tools":{}}`)

			Expect(c.heard("subscriptions/listen")).To(BeEmpty())
		})
	})

	It("sends no method of older versions only", func() {
		inBubble(func(c *connection) {
			session := modern(c, `{"tools":{},"logging":{}}`)

			session.AnnounceRootsChanged()
			session.SetLogLevel("debug")

			Expect(c.methods()).To(Equal([]string{"initialize", "server/discover"}))
		})
	})

	Context("when a result asks for input", func() {
		const wanted = `"result":{"resultType":"input_required","inputRequests":{}}`

		It("ends the call when no input can be supplied", func() {
			inBubble(func(c *connection) {
				session := modern(c, `{"tools":{}}`)
				c.answer("tools/call", wanted)

				o := call(session, ports.ToolCall{Input: func(_ json.RawMessage, supply func(json.RawMessage, error)) { supply(nil, errors.New("nobody knows")) }})

				Expect(reason(o.failed())).To(Equal("nobody knows"))
			})
		})

		It("fails the call, with the reason, when the server never stops asking", func() {
			inBubble(func(c *connection) {
				session := modern(c, `{"tools":{}}`)
				c.answer("tools/call", wanted)

				o := call(session, ports.ToolCall{Input: func(_ json.RawMessage, supply func(json.RawMessage, error)) { supply([]byte(`"x":1`), nil) }})

				Expect(reason(o.failed())).To(Equal("it asked for input 32 times and gave no result"))
				Expect(len(c.heard("tools/call"))).To(BeNumerically("<", 100))
			})
		})
	})
})
