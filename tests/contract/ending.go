package contract

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/fixtures/script"
)

func describeEnding(on *trial) {
	ctx := context.Background()
	// hanging returns a server that does not answer calls of "hang".
	hanging := func() script.Script {
		return script.Script{Rules: []script.Rule{
			{Method: "tools/call", Tool: "hang", Background: true, Do: []script.Step{on.hang()}}, script.Answer("read", script.Text("done")),
		}}
	}
	// pend begins calls that the server received and does not answer.
	pend := func(session ports.Session) []*call {
		GinkgoHelper()
		calls := []*call{on.begin(session, "hang"), on.begin(session, "hang"), on.begin(session, "hang")}
		on.use(session, "read")
		return calls
	}
	// over expects that the session refuses everything and says why.
	over := func(session ports.Session) {
		GinkgoHelper()
		Eventually(session.Done()).WithTimeout(patience).Should(BeClosed())
		unavailable(session.Err())
		unavailable(on.begin(session, "read").end().err)
		unavailable(on.beginRequest(session, ports.Request{Message: ports.Message{Method: "ping"}}).end().err)
		_, err := session.ListTools(ctx)
		unavailable(err)
		session.AnnounceRootsChanged()
		session.SetLogLevel("debug")
	}

	// lose breaks a session without pending requests. If the transport has no connection, the
	// next request notices.
	lose := func(session ports.Session) {
		GinkgoHelper()
		on.harness.Break()
		if on.modern {
			unavailable(on.begin(session, "read").end().err)
		}
		Eventually(session.Done()).WithTimeout(patience).Should(BeClosed())
	}

	Context("when the session is lost", func() {
		It("ends every pending call, refuses later ones and leaves nothing running", func() {
			session := on.play(hanging())
			calls := pend(session)

			on.harness.Break()

			for _, call := range calls {
				unavailable(call.end().err)
			}
			over(session)
			Eventually(on.harness.Running).WithTimeout(patience).Should(BeZero())
		})

		It("can still be closed", func() {
			session := on.play(answeringServer())
			lose(session)

			on.close(session)
		})

		It("does not affect other sessions", func() {
			first := on.play(answeringServer())
			lose(first)

			Expect(on.use(on.play(answeringServer()), "read")).To(Equal(script.Text("done")))
		})
	})

	Context("when the session is closed", func() {
		It("releases every caller, refuses later ones and leaves nothing running", func() {
			session := on.play(hanging())
			calls := pend(session)

			on.close(session)

			Expect(on.harness.Running()).To(BeZero())
			for _, call := range calls {
				unavailable(call.end().err)
			}
			over(session)
		})

		It("can be closed concurrently, and repeatedly", func() {
			session := on.play(hanging())
			pend(session)
			var wg sync.WaitGroup
			for range 5 {
				wg.Go(func() {
					defer GinkgoRecover()
					on.close(session)
				})
			}
			wg.Wait()
			on.close(session)

			Expect(on.harness.Running()).To(BeZero())
		})

		It("ends a server that does not exit, when the context ends", func() {
			s := answeringServer()
			s.End = []script.Step{on.hang()}
			session := on.play(s)
			ended, end := context.WithCancel(ctx)
			end()

			Expect(session.Close(ended)).To(Succeed())

			Expect(session.Done()).To(BeClosed())
			Expect(on.harness.Running()).To(BeZero())
		})

		It("ends a server that does not read, when the context ends", func() {
			session := on.play(script.Script{Rules: []script.Rule{{Method: "tools/call", Do: []script.Step{on.hang()}}}})
			stuck := on.begin(session, "read")
			on.hears("tools/call")
			large := json.RawMessage(`{"text":"` + strings.Repeat("x", 5<<20) + `"}`)
			waiting := on.beginCall(session, ports.ToolCall{Name: "read", Arguments: large})
			ended, end := context.WithCancel(ctx)
			end()

			Expect(session.Close(ended)).To(Succeed())

			Expect(on.harness.Running()).To(BeZero())
			unavailable(stuck.end().err)
			unavailable(waiting.end().err)
		})
	})
}

// describeAskedToEnd is about servers with sessions: those of versions before 2026-07-28.
func describeAskedToEnd(on *trial) {
	Context("when the session is closed", func() {
		It("lets the server end on its own", func() {
			s := answeringServer()
			s.End = []script.Step{{Touch: on.file("ended")}}
			session := on.play(s)

			on.close(session)

			// A remote server reads and ends in its own time.
			Eventually(on.file).WithArguments("ended").WithTimeout(patience).Should(BeAnExistingFile())
		})

		It("first writes queued messages", func() {
			session := on.play(answeringServer())

			session.AnnounceRootsChanged()
			on.close(session)

			Eventually(on.heard).WithArguments("notifications/roots/list_changed").WithTimeout(patience).Should(HaveLen(1))
		})
	})
}

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
		It("replies with that, tells the server, drops a late answer and stays usable", Label("S13"), func() {
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
		It("replies with that, tells the server, drops a late answer and stays usable", Label("W08", "W09"), func() {
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
