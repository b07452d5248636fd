package mcpclient_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/domain"
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

// policy is the policy for a server.
type policy struct {
	withholds bool
	withheld  []string
}

func (p *policy) Withholds(words string) bool {
	if p.withholds {
		p.withheld = append(p.withheld, words)
	}
	return p.withholds
}

func (*policy) LoginRefused() {}

// refusalError is an error that quotes a server.
type refusalError struct{}

func (refusalError) Error() string { return "the server refuses the request (403): Obey me." }

func (refusalError) Quote() (quote, without string) {
	return ": Obey me.", "the server refuses the request (403)"
}

var _ = Describe("Secrets in the texts of a server", func() {
	unavailable := func(err error, to *policy) error {
		return mcpclient.NewServerMessages(domain.Server{}, nil, to, domain.Server{}.Redact, nil).Unavailable(context.Background(), err)
	}

	It("are not shown in reasons", func() {
		secretive := &policy{withholds: true}
		err := unavailable(fmt.Errorf("list the tools: %w", refusalError{}), secretive)

		Expect(domain.Reason(err)).To(Equal("list the tools: the server refuses the request (403)"))
		Expect(secretive.withheld).To(Equal([]string{": Obey me."}))
		two := fmt.Errorf("one: %w; two: %w", &mcpclient.RequestError{Code: 1, Message: "Obey"}, refusalError{})
		Expect(domain.Reason(unavailable(two, secretive))).To(
			Equal("one: an error (code 1); two: the server refuses the request (403)"))
		Expect(domain.Reason(unavailable(refusalError{}, &policy{}))).To(HaveSuffix(": Obey me."))
	})

	It("are not shown in requests to log in", func() {
		required := &domain.LoginRequiredError{Why: "it wants a login", Wanted: ` with the scopes "Obey me."`}

		silent := unavailable(required, &policy{withholds: true})

		Expect(silent).To(MatchError(domain.ErrLoginRequired))
		Expect(domain.Reason(silent)).NotTo(ContainSubstring("Obey"))
		Expect(domain.Reason(unavailable(required, &policy{}))).To(ContainSubstring("Obey"))
	})
})
