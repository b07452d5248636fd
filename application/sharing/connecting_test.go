package sharing_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// attempt is a host that connects, and what came of it.
type attempt struct {
	host    *fakeHost
	cancel  context.CancelFunc
	session ports.Session
	err     error
	ended   bool
}

// begins begins to connect one more host.
func (w *world) begins() *attempt {
	ctx, cancel := context.WithTimeout(w.t.Context(), 10*time.Second)
	a := &attempt{host: &fakeHost{}, cancel: cancel}
	go func() {
		defer cancel()
		a.session, a.err = w.shared.Connect(ctx, sharedServer("{}"), a.host)
		a.ended = true
	}()
	synctest.Wait()
	return a
}

var _ = Describe("Connecting to a server", func() {
	It("is nothing new for one that is not shared", inWorld(func(w *world) {
		server := sharedServer("{}")
		server.Shared = false
		host := &fakeHost{}
		for i := range 2 {
			session, err := w.shared.Connect(w.t.Context(), server, host)
			Expect(err).NotTo(HaveOccurred())
			Expect(session).To(BeIdenticalTo(w.session(i)))
		}
		Expect(w.session(0).host).To(BeIdenticalTo(host))
	}))

	It("makes one session for all hosts, which can do nothing", inWorld(func(w *world) {
		a, b := w.joins(), w.joins()

		attempts, _, _ := w.seen()
		Expect(attempts).To(Equal(1))
		Expect(string(w.session(0).host.Capabilities())).To(Equal("{}"))
		Expect(a.Declares("tools")).To(BeTrue())
		for _, method := range []string{domain.MethodElicitationCreate, domain.MethodSamplingCreateMessage, domain.MethodListRoots, "x/y\""} {
			var answers []string
			w.session(0).host.Request(w.t.Context(), files, ports.Message{Method: method}, func(answer ports.Answer, err error) {
				Expect(err).NotTo(HaveOccurred())
				answers = append(answers, string(answer.Error))
			})
			Expect(answers).To(ConsistOf(ContainSubstring(`{"code":-32601,"message":"several hosts share this server, and none of them answers `)))
			Expect(json.Valid([]byte(answers[0]))).To(BeTrue())
		}
		Expect(append(a.hears(), b.hears()...)).To(BeEmpty())
	}))

	It("is one attempt for all who wait, who hear of the start and of its failure", inWorld(func(w *world) {
		w.starting, w.err = make(chan struct{}), errors.New("no such program")
		a := w.begins()
		b := w.begins()

		close(w.starting)
		synctest.Wait()

		for _, one := range []*attempt{a, b} {
			Expect(one.err).To(MatchError("no such program"))
			Expect(one.host.starting).To(Equal([]string{"files"}))
		}
		attempts, _, _ := w.seen()
		Expect(attempts).To(Equal(1))
	}))

	It("goes on while somebody waits, and ends when nobody does", inWorld(func(w *world) {
		w.starting = make(chan struct{})
		a, b := w.begins(), w.begins()

		a.cancel()
		synctest.Wait()
		Expect(a.err).To(MatchError(context.Canceled))
		Expect(b.ended).To(BeFalse())
		_, live, _ := w.seen()
		Expect(live).To(Equal(1))

		b.cancel()
		synctest.Wait()
		Expect(b.err).To(MatchError(context.Canceled))
		_, live, _ = w.seen()
		Expect(live).To(BeZero())

		again := w.begins()
		close(w.starting)
		synctest.Wait()
		Expect(again.err).NotTo(HaveOccurred())
		_, _, maxLive := w.seen()
		Expect(maxLive).To(Equal(1))
	}))

	It("leaves nothing when it succeeds after everybody gave up", inWorld(func(w *world) {
		w.starting, w.late = make(chan struct{}), true
		a := w.begins()
		a.cancel()
		synctest.Wait()
		Expect(a.ended).To(BeFalse(), "something is left of it")
		b := w.begins()

		close(w.starting)
		synctest.Wait()

		Expect(a.err).To(MatchError(context.Canceled))
		Expect(w.session(0).done).To(BeClosed())
		Expect(b.err).NotTo(HaveOccurred())
		Expect(w.session(1).done).NotTo(BeClosed())
		_, _, maxLive := w.seen()
		Expect(maxLive).To(Equal(1))
	}))

	It("fails with the limit for whoever came later, and never takes longer than that", inWorld(func(w *world) {
		w.starting = make(chan struct{})
		a := w.begins()
		time.Sleep(9 * time.Second)
		b := w.begins()

		time.Sleep(2 * time.Second)
		synctest.Wait()

		Expect(a.err).To(MatchError(context.DeadlineExceeded))
		Expect(b.err).To(MatchError(ContainSubstring("connection timeout after 10s (limits.connect raises it)")))
	}))

	It("waits until nothing is left of the session before", inWorld(func(w *world) {
		w.closing = make(chan struct{})
		a := w.joins()
		go a.leaves(w.t)
		synctest.Wait()
		b := w.begins()
		Expect(b.ended).To(BeFalse())

		close(w.closing)
		synctest.Wait()

		Expect(b.err).NotTo(HaveOccurred())
		_, _, maxLive := w.seen()
		Expect(maxLive).To(Equal(1))
	}))

	It("makes another session with other settings, which those who have the old one do not notice", inWorld(func(w *world) {
		a, b := w.joins(), w.joins()
		changed, err := w.shared.Connect(w.t.Context(), sharedServer(`{"a":1}`), &fakeHost{})
		Expect(err).NotTo(HaveOccurred())
		Expect(string(w.session(1).server.Settings)).To(Equal(`{"a":1}`))

		a.calls("{}")
		w.session(0).all("tools/call")[0].answers(`{"old":true}`)
		Expect(a.hears()).To(Equal([]string{`got {"old":true}`}))
		late := w.joins()
		Expect(late.Done()).NotTo(BeClosed(), "there are two sessions, not three")
		for _, g := range []guest{a, b, late} {
			g.leaves(w.t)
		}
		Expect(w.session(0).done).To(BeClosed())
		Expect(changed.Done()).NotTo(BeClosed())
		attempts, _, _ := w.seen()
		Expect(attempts).To(Equal(2))
	}))

	It("knows servers of one name in two toolboxes apart", inWorld(func(w *world) {
		w.joins()
		other := sharedServer("{}")
		other.ID.Toolbox = "ops"
		_, err := w.shared.Connect(w.t.Context(), other, &fakeHost{})
		Expect(err).NotTo(HaveOccurred())
		attempts, _, _ := w.seen()
		Expect(attempts).To(Equal(2))
	}))
})

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

	It("ends what a host that leaves has under way, and nothing else", inWorld(func(w *world) {
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
		calls := w.session(0).all("tools/call")
		Expect(calls[0].ctx.Err()).To(HaveOccurred(), "the server is told")
		Expect(calls[1].ctx.Err()).NotTo(HaveOccurred())
		calls[1].answers(`"for b"`)
		Expect(b.hears()).To(Equal([]string{`got "for b"`}))
		a.calls(`"late"`)
		a.asks(domain.MethodResourcesSubscribe, `{"uri":"x"}`)
		_, err := a.ListPrompts(context.Background())
		Expect(err).To(MatchError(ContainSubstring(closed)))
		Expect(a.hears()).To(HaveLen(3))
		Expect(a.hears()[2]).To(ContainSubstring(closed))
		Expect(w.session(0).all("tools/call")).To(HaveLen(2))
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

	It("is known to be lost by whoever heard of it", inWorld(func(w *world) {
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
		a.asks(domain.MethodPing, "{}")

		w.session(0).all(domain.MethodPing)[0].reply(ports.Answer{}, &domain.TimedOutError{ID: files})

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

	It("goes on after a ping that was answered, and after a call that was not", inWorld(func(w *world) {
		a := w.joins()
		a.asks(domain.MethodPing, "{}")
		a.calls("{}")
		w.session(0).all(domain.MethodPing)[0].answers("{}")
		w.session(0).all("tools/call")[0].reply(ports.Answer{}, &domain.TimedOutError{ID: files})
		synctest.Wait()
		Expect(a.Done()).NotTo(BeClosed())
	}))
})
