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

		It("carries the host's refusal", func() {
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

		It("answers ping without the host", func() {
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
