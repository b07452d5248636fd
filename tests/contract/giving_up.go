package contract

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/fixtures/script"
)

// lateServer returns a server whose tool "late" answers once its call was cancelled; "read"
// answers at once.
func lateServer() script.Script {
	return script.Script{Rules: []script.Rule{
		{Method: "tools/call", Tool: "late", Background: true, Do: []script.Step{
			{Await: "notifications/cancelled"}, {Result: script.Text("too late")},
		}},
		script.Answer("read", script.Text("done")),
	}}
}

func describeGivingUp(on *trial) {
	// soon is a limit that ends during a spec, but not before the server has the call: only calls
	// that the server has are cancelled there.
	const soon = 100 * time.Millisecond
	// toldOnce expects that the server got one cancellation, with the id of the call that it
	// did not answer.
	toldOnce := func() {
		GinkgoHelper()
		Expect(member(on.hears("notifications/cancelled"), "params", "requestId")).To(Equal(member(on.hears("tools/call"), "id")))
		Expect(on.heard("notifications/cancelled")).To(HaveLen(1))
	}

	Context("when the context of a call ends", func() {
		It("replies with that, tells the server, drops a late answer and stays usable", func() {
			session := on.play(lateServer())
			call := on.begin(session, "late")
			on.hears("tools/call")

			call.cancel()

			Expect(call.end().err).To(MatchError(context.Canceled))
			toldOnce()
			Expect(on.use(session, "read")).To(Equal(script.Text("done")))
			Expect(session.Done()).NotTo(BeClosed())
		})

		It("tells the server nothing about an answered call", func() {
			session := on.play(lateServer())
			call := on.begin(session, "read")
			Expect(call.result()).To(Equal(script.Text("done")))

			call.cancel()

			on.use(session, "read")
			Expect(on.heard("notifications/cancelled")).To(BeEmpty())
		})

		It("does not call at all when it has already ended", func() {
			session := on.play(lateServer())
			ended, end := context.WithCancel(context.Background())
			end()
			call := on.track(end)

			session.CallTool(ended, ports.ToolCall{Name: "late", Arguments: json.RawMessage("{}")}, call.reply)

			Expect(call.end().err).To(MatchError(context.Canceled))
			on.use(session, "read")
			Expect(on.heard("tools/call")).To(HaveLen(1))
			Expect(on.heard("notifications/cancelled")).To(BeEmpty())
		})

		It("cancels other requests in the same way", func() {
			session := on.play(script.Script{Rules: []script.Rule{
				{Method: "resources/read", Background: true, Do: []script.Step{on.hang()}}, script.Answer("", script.Text("done")),
			}})
			request := on.beginRequest(session, ports.Request{Message: ports.Message{Method: "resources/read", Params: json.RawMessage("{}")}})
			asked := on.hears("resources/read")

			request.cancel()

			Expect(request.end().err).To(MatchError(context.Canceled))
			Expect(member(on.hears("notifications/cancelled"), "params", "requestId")).To(Equal(member(asked, "id")))
			Expect(on.use(session, "read")).To(Equal(script.Text("done")))
		})
	})

	Context("when the limit on a call runs out", func() {
		It("replies with that, tells the server, drops a late answer and stays usable", func() {
			session := on.play(lateServer())
			call := on.beginCall(session, ports.ToolCall{Name: "late", Arguments: json.RawMessage("{}"), SilenceLimit: soon})

			failure := call.end().err

			timedOut, ok := errors.AsType[*domain.TimedOutError](failure)
			Expect(ok).To(BeTrue(), "another kind of error: %v", failure)
			Expect(timedOut.ID).To(Equal(id))
			Expect(timedOut.Limit).To(Equal("limits.call"))
			Expect(timedOut.Waited).To(BeNumerically(">=", soon))
			toldOnce()
			Expect(on.use(session, "read")).To(Equal(script.Text("done")))
			Expect(session.Done()).NotTo(BeClosed())
		})

		It("distinguishes the limit for the whole call from the one without progress", func() {
			session := on.play(lateServer())
			call := on.beginCall(session, ports.ToolCall{
				Name: "late", Arguments: json.RawMessage("{}"), SilenceLimit: time.Hour, TotalLimit: soon,
			})

			failure := call.end().err

			timedOut, ok := errors.AsType[*domain.TimedOutError](failure)
			Expect(ok).To(BeTrue(), "another kind of error: %v", failure)
			Expect(timedOut.Limit).To(Equal("limits.callTotal"))
			toldOnce()
		})
	})
}
