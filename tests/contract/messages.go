package contract

import (
	"context"
	"encoding/json"
	"errors"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/ports"
	"mcp-workbench/tests/fixtures/script"
)

func describeMessages(on *trial) {
	notify := func(method, params string) script.Step {
		return script.Step{Line: `{"jsonrpc":"2.0","method":"` + method + `","params":` + params + `}`}
	}

	Context("receiving notifications of a server", func() {
		It("passes them on to the host, in order and in the server's bytes", func() {
			session := on.play(script.Script{Rules: []script.Rule{{Method: "tools/call", Do: []script.Step{
				notify("notifications/odd", odd), notify("notifications/tools/list_changed", `{ }`),
				notify("notifications/message", `{ "level":"debug", "data":[1, 2]}`), notify("notifications/message", `{"level":"loud","data":1}`),
				{Line: `{"jsonrpc":"2.0","method":"notifications/unheard_of"}`},
				{Result: script.Text("done")},
			}}}})

			on.use(session, "read")

			Expect(on.host.heard()).To(Equal([]string{
				"files notifications/odd " + odd, "files notifications/tools/list_changed { }",
				`files notifications/message { "level":"debug", "data":[1, 2]}`, `files notifications/message {"level":"info","data":1}`, "files notifications/unheard_of ",
			}))
		})

		It("passes them on from the handshake onwards", func() {
			speaksFirst := "notifications/initialized"
			if on.modern {
				speaksFirst = "subscriptions/listen"
			}
			session := on.play(script.Script{Capabilities: `{"tools":{"listChanged":true}}`, Rules: []script.Rule{
				{Method: speaksFirst, Do: []script.Step{notify("notifications/message", `{"level":"info","data":"hello"}`)}},
				script.Answer("", script.Text("done")),
			}})

			on.use(session, "read")

			// Messages outside a call can have a stream of their own.
			Eventually(on.host.heard).WithTimeout(patience).Should(Equal([]string{`files notifications/message {"level":"info","data":"hello"}`}))
		})
	})
}

// describeAnnouncing is about notifications to servers of versions before 2026-07-28.
func describeAnnouncing(on *trial) {
	Context("sending notifications to a server", func() {
		It("sends parameters of requests in their own bytes, and tells the server that the roots changed", func() {
			session := on.play(script.Script{Rules: []script.Rule{{Method: "resources/read", Do: []script.Step{{Result: `{"got":${params}}`}}}}})
			read := ports.Request{Message: ports.Message{Method: "resources/read", Params: json.RawMessage(odd)}}

			Expect(on.beginRequest(session, read).result()).To(Equal(`{"got":` + odd + `}`))

			session.AnnounceRootsChanged()
			Expect(member(on.hears("notifications/roots/list_changed"), "params")).To(BeEmpty())
		})

		It("tells a server with logging which messages the host wants, when that changes", func() {
			session := on.play(script.Script{Capabilities: `{"logging":{}}`, Rules: []script.Rule{
				{Method: "logging/setLevel", Do: []script.Step{{Result: "{}"}}}, script.Answer("", script.Text("done")),
			}})

			session.SetLogLevel("debug")
			session.SetLogLevel("debug")
			session.SetLogLevel("error")
			on.use(session, "read")

			messages := on.heard("logging/setLevel")
			Expect(messages).To(HaveLen(2))
			Expect(member(messages[0], "params", "level")).To(Equal(`"debug"`))
			Expect(member(messages[1], "params", "level")).To(Equal(`"error"`))
		})

		It("does not tell a server without logging", func() {
			session := on.play(answeringServer())

			session.SetLogLevel("debug")
			on.use(session, "read")

			Expect(on.heard("logging/setLevel")).To(BeEmpty())
		})
	})
}

// describeInput is about the input that servers of 2026-07-28 request with a result.
func describeInput(on *trial) {
	const wanted = `{ "resultType":"input_required","inputRequests":{"q":{"method":"elicitation/create","params":` + odd + `}},"requestState":"s\/1"}`

	Context("when a server requires input during a call", func() {
		It("continues the call with the input of the caller", func() {
			session := on.play(script.Script{Rules: []script.Rule{
				{Method: "tools/call", Once: true, Do: []script.Step{{Result: wanted}}},
				{Method: "tools/call", Do: []script.Step{{Result: `{"resultType":"complete","got":${inputResponses},"state":${requestState}}`}}},
			}})
			var asked string

			call := on.beginCall(session, ports.ToolCall{
				Name: "read", Arguments: json.RawMessage(odd),
				Input: func(result json.RawMessage, supply func(json.RawMessage, error)) {
					asked = string(result)
					supply(json.RawMessage(`"inputResponses":{ "q":1.0},"requestState":"s\/1"`), nil)
				},
			})

			Expect(call.result()).To(Equal(`{"resultType":"complete","got":{ "q":1.0},"state":"s\/1"}`))
			Expect(asked).To(Equal(wanted))
			Expect(member(on.heard("tools/call")[1], "params", "arguments")).To(Equal(odd))
		})

		It("passes the result on to a caller that supplies no input", func() {
			session := on.play(script.Script{Rules: []script.Rule{script.Answer("", wanted)}})

			Expect(on.use(session, "read")).To(Equal(wanted))
		})
	})

	Context("when the host wants log messages", func() {
		It("tells the server with each call", func() {
			session := on.play(answeringServer())

			session.SetLogLevel("debug")
			on.use(session, "read")

			Expect(member(on.hears("tools/call"), "params", "_meta", "io.modelcontextprotocol/logLevel")).To(Equal(`"debug"`))
		})
	})
}

func describeQuestions(on *trial) {
	const asking = `{"jsonrpc":"2.0","id":"q/\u0031","method":"elicitation/create","params":` + odd + `}`
	// asks returns a server that writes the line during a call of "ask", and answers the call
	// when it has the answer to the line; "read" answers at once.
	asks := func(line string) script.Script {
		return script.Script{Rules: []script.Rule{
			{Method: "tools/call", Tool: "ask", Background: true, Do: []script.Step{
				{Line: line}, on.await("answer"), {Result: script.Text("asked")},
			}},
			{Method: "", Do: []script.Step{{Touch: on.file("answer")}}},
			script.Answer("read", script.Text("done")),
		}}
	}
	// answered waits for the answer that the server gets.
	answered := func() string {
		GinkgoHelper()
		return on.hears("")
	}
	// question waits for the question that the host gets.
	question := func() question {
		GinkgoHelper()
		var q question
		Eventually(on.host.asked).WithTimeout(patience).Should(Receive(&q))
		return q
	}

	Context("when a server asks for something", func() {
		It("asks the host and carries question and answer in their own bytes", func() {
			session := on.play(asks(asking))
			call := on.begin(session, "ask")

			q := question()
			Expect(q.server).To(Equal(id))
			Expect(q.request.Method).To(Equal("elicitation/create"))
			Expect(string(q.request.Params)).To(Equal(odd))
			Expect(q.ctx.Err()).NotTo(HaveOccurred())
			q.reply(ports.Answer{Result: json.RawMessage(odd)}, nil)

			Expect(member(answered(), "result")).To(Equal(odd))
			Expect(member(answered(), "id")).To(Equal(`"q/\u0031"`))
			Expect(call.result()).To(Equal(script.Text("asked")))
		})

		It("carries the host's refusal", Label("W12"), func() {
			call := on.begin(on.play(asks(asking)), "ask")

			question().reply(ports.Answer{Error: json.RawMessage(`{"code":-1, "message":"declined"}`)}, nil)

			Expect(member(answered(), "error")).To(Equal(`{"code":-1, "message":"declined"}`))
			call.result()
		})

		It("says why the host cannot be asked", func() {
			call := on.begin(on.play(asks(asking)), "ask")

			question().reply(ports.Answer{}, errors.New("the host is gone"))

			Expect(member(answered(), "error", "message")).To(ContainSubstring("the host is gone"))
			call.result()
		})

		It("answers ping without the host", Label("W12"), func() {
			call := on.begin(on.play(asks(`{"jsonrpc":"2.0","id":77,"method":"ping"}`)), "ask")

			Expect(member(answered(), "result")).To(Equal("{}"))
			Expect(member(answered(), "id")).To(Equal("77"))
			call.result()
			Expect(on.host.asked).To(BeEmpty())
		})

		It("continues everything else meanwhile", func() {
			session := on.play(asks(asking))
			call := on.begin(session, "ask")
			q := question()

			Expect(on.use(session, "read")).To(Equal(script.Text("done")))

			q.reply(ports.Answer{Result: json.RawMessage("{}")}, nil)
			call.result()
		})

		It("ends the question when the server cancels it, without an answer", func() {
			s := asks(asking)
			s.Rules = append([]script.Rule{{Method: "tools/call", Tool: "give up", Do: []script.Step{
				{Line: `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q/\u0031"}}`}, {Result: script.Text("gave up")},
			}}}, s.Rules...)
			session := on.play(s)
			call := on.begin(session, "ask")
			q := question()

			on.use(session, "give up")

			Eventually(q.ctx.Done()).WithTimeout(patience).Should(BeClosed())
			q.reply(ports.Answer{}, q.ctx.Err())
			on.use(session, "read")
			Expect(on.heard("")).To(BeEmpty())
			call.cancel()
			Expect(call.end().err).To(MatchError(context.Canceled))
		})

		It("ends the question when the session is lost", func() {
			call := on.begin(on.play(asks(asking)), "ask")
			q := question()

			on.harness.Break()

			Eventually(q.ctx.Done()).WithTimeout(patience).Should(BeClosed())
			q.reply(ports.Answer{}, q.ctx.Err())
			unavailable(call.end().err)
		})
	})
}
