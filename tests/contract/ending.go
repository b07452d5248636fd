package contract

import (
	"context"
	"encoding/json"
	"strings"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

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
			session := on.play(answering())
			lose(session)

			on.close(session)
		})

		It("does not affect other sessions", func() {
			first := on.play(answering())
			lose(first)

			Expect(on.use(on.play(answering()), "read")).To(Equal(script.Text("done")))
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
			s := answering()
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
			s := answering()
			s.End = []script.Step{{Touch: on.file("ended")}}
			session := on.play(s)

			on.close(session)

			// A remote server reads and ends in its own time.
			Eventually(on.file).WithArguments("ended").WithTimeout(patience).Should(BeAnExistingFile())
		})

		It("first writes queued messages", func() {
			session := on.play(answering())

			session.AnnounceRootsChanged()
			on.close(session)

			Eventually(on.heard).WithArguments("notifications/roots/list_changed").WithTimeout(patience).Should(HaveLen(1))
		})
	})
}
