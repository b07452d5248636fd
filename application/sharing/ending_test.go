package sharing_test

import (
	"context"
	"testing/synctest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

var _ = Describe("A session that hosts share", Label("M10"), func() {
	It("is closed with the last of them", inWorld(func(w *world) {
		a, b := w.joins(), w.joins()

		a.leaves(w.t)
		Expect(a.Done()).To(BeClosed())
		Expect(a.Err()).To(MatchError(ContainSubstring("the connection to the server was closed")))
		Expect(b.Done()).NotTo(BeClosed())
		Expect(b.Err()).NotTo(HaveOccurred())
		Expect(w.session(0).done).NotTo(BeClosed())

		b.leaves(w.t)
		b.leaves(w.t)
		Expect(w.session(0).done).To(BeClosed())
	}))

	It("ends only the requests of a host that leaves", inWorld(func(w *world) {
		a, b := w.joins(), w.joins()
		a.calls(`"a"`)
		b.calls(`"b"`)
		listing := make(chan error, 1)
		go func() {
			_, err := a.ListTools(context.Background())
			listing <- err
		}()
		synctest.Wait()

		a.leaves(w.t)

		const closed = "the connection to the server was closed"
		Expect(a.hears()).To(ConsistOf(ContainSubstring(closed)))
		Expect(<-listing).To(MatchError(ContainSubstring(closed)))
		calls := w.session(0).requestsFor("tools/call")
		Expect(calls[0].ctx.Err()).To(HaveOccurred(), "the server is told")
		Expect(calls[1].ctx.Err()).NotTo(HaveOccurred())
		calls[1].answers(`"for b"`)
		Expect(b.hears()).To(Equal([]string{`got "for b"`}))
		a.calls(`"late"`)
		a.asks(subscribe, `{"uri":"x"}`)
		_, err := a.ListPrompts(context.Background())
		Expect(err).To(MatchError(ContainSubstring(closed)))
		Expect(a.hears()).To(HaveLen(3))
		Expect(a.hears()[2]).To(ContainSubstring(closed))
		Expect(w.session(0).requestsFor("tools/call")).To(HaveLen(2))
	}))

	It("is lost for all of them at once, for the same reason, and made again once", inWorld(func(w *world) {
		a, b := w.joins(), w.joins()
		a.calls("{}")

		w.session(0).lose("it died")

		for _, g := range []guest{a, b} {
			synctest.Wait()
			Expect(g.Done()).To(BeClosed())
			Expect(g.Err()).To(MatchError(ContainSubstring("it died")))
		}
		Expect(a.hears()).To(ConsistOf(ContainSubstring("it died")))
		a.leaves(w.t)
		again := w.joins()
		b.leaves(w.t)
		Expect(w.joins().Done()).NotTo(BeClosed())
		Expect(again.Done()).NotTo(BeClosed())
		attempts, _, _ := w.seen()
		Expect(attempts).To(Equal(2))
	}))

	It("is lost for a member by the time that its calls fail", inWorld(func(w *world) {
		a := w.joins()
		known := false
		a.CallTool(w.t.Context(), ports.ToolCall{}, func(_ ports.Answer, err error) {
			known = a.Err() != nil
		})

		w.session(0).lose("it died")

		synctest.Wait()
		Expect(known).To(BeTrue())
	}))

	It("ends for all when one finds that the server hangs", inWorld(func(w *world) {
		w.closing = make(chan struct{})
		a, b := w.joins(), w.joins()
		a.asks(ping, "{}")

		w.session(0).requestsFor(ping)[0].reply(ports.Answer{}, &domain.TimedOutError{ID: files})

		synctest.Wait()
		Expect(b.Done()).To(BeClosed())
		Expect(b.Err()).To(MatchError(ContainSubstring("did not answer the calls of another host, nor a ping")))
		again := w.begins()
		Expect(again.ended).To(BeFalse(), "the one that hangs is still there")
		close(w.closing)
		synctest.Wait()
		Expect(again.err).NotTo(HaveOccurred())
		Expect(w.session(0).done).To(BeClosed())
		a.leaves(w.t)
		b.leaves(w.t)
		Expect(w.session(1).done).NotTo(BeClosed())
	}))

	It("continues after a ping that was answered, and after a call that was not", inWorld(func(w *world) {
		a := w.joins()
		a.asks(ping, "{}")
		a.calls("{}")
		w.session(0).requestsFor(ping)[0].answers("{}")
		w.session(0).requestsFor("tools/call")[0].reply(ports.Answer{}, &domain.TimedOutError{ID: files})
		synctest.Wait()
		Expect(a.Done()).NotTo(BeClosed())
	}))
})
