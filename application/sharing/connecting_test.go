package sharing_test

import (
	"context"
	"errors"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

// attempt is a host that connects, and the outcome.
type attempt struct {
	host    *fakeHost
	cancel  context.CancelFunc
	session ports.Session
	err     error
	ended   bool
}

// begins makes one more host begin to connect.
func (w *world) begins() *attempt {
	ctx, cancel := context.WithTimeout(w.t.Context(), 10*time.Second)
	a := &attempt{host: &fakeHost{}, cancel: cancel}
	go func() {
		defer cancel()
		a.session, a.err = w.shared.Connect(ctx, sharedServer("{}"), a.host, nil)
		a.ended = true
	}()
	synctest.Wait()
	return a
}

// namedPolicy is a policy that can be told from others.
type namedPolicy struct{ name string }

func (*namedPolicy) Withholds(string) bool { return false }

func (*namedPolicy) LoginRefused() {}

var _ = Describe("Connecting to a server", func() {
	It("is passed on unchanged for a server that is not shared", inWorld(func(w *world) {
		server := sharedServer("{}")
		server.Shared = false
		host := &fakeHost{}
		for i := range 2 {
			session := spec.Must(w.shared.Connect(w.t.Context(), server, host, nil))
			Expect(session).To(BeIdenticalTo(w.session(i)))
		}
		Expect(w.session(0).host).To(BeIdenticalTo(host))
	}))

	It("follows the policy of the host that began the session", inWorld(func(w *world) {
		first, second := &namedPolicy{"first"}, &namedPolicy{"second"}
		for _, policy := range []ports.ServerPolicy{first, second} {
			Expect(w.shared.Connect(w.t.Context(), sharedServer("{}"), &fakeHost{}, policy)).Error().NotTo(HaveOccurred())
		}

		Expect(w.policies).To(Equal([]ports.ServerPolicy{first}))
	}))

	It("makes one session for all hosts, without capabilities", inWorld(func(w *world) {
		a, b := w.joins(), w.joins()

		attempts, _, _ := w.seen()
		Expect(attempts).To(Equal(1))
		Expect(string(w.session(0).host.Capabilities())).To(Equal("{}"))
		Expect(a.Declares("tools")).To(BeTrue())
		for _, method := range []string{"elicitation/create", "roots/list", "x/y\""} {
			var refusals []error
			w.session(0).host.Request(w.t.Context(), files, ports.Message{Method: method}, func(_ ports.Answer, err error) {
				refusals = append(refusals, err)
			})
			Expect(refusals).To(ConsistOf(&ports.UnsupportedError{Reason: "several hosts share this server, and none of them answers " + method}))
		}
		Expect(append(a.hears(), b.hears()...)).To(BeEmpty())
	}))

	It("makes one attempt for all waiting members, which are told of the start and of its failure", inWorld(func(w *world) {
		w.starting, w.err = make(chan struct{}), errors.New("no such program")
		a := w.begins()
		b := w.begins()

		close(w.starting)
		synctest.Wait()

		for _, started := range []*attempt{a, b} {
			Expect(started.err).To(MatchError("no such program"))
			Expect(started.host.starting).To(Equal([]string{"files"}))
		}
		attempts, _, _ := w.seen()
		Expect(attempts).To(Equal(1))
	}))

	It("continues while a member waits, and ends when none does", inWorld(func(w *world) {
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

	It("leaves nothing running when it succeeds after all members gave up", inWorld(func(w *world) {
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

	It("fails with the limit for members that came later, and takes no longer than that", inWorld(func(w *world) {
		w.starting = make(chan struct{})
		a := w.begins()
		time.Sleep(9 * time.Second)
		b := w.begins()

		time.Sleep(2 * time.Second)
		synctest.Wait()

		Expect(a.err).To(MatchError(context.DeadlineExceeded))
		Expect(b.err).To(MatchError(ContainSubstring("connection timeout after 10s")))
	}))

	It("waits until nothing is left of the earlier session", inWorld(func(w *world) {
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

	It("makes another session with other settings, which members of the old one do not notice", inWorld(func(w *world) {
		a, b := w.joins(), w.joins()
		changed := spec.Must(w.shared.Connect(w.t.Context(), sharedServer(`{"a":1}`), &fakeHost{}, nil))
		Expect(string(w.session(1).server.Settings)).To(Equal(`{"a":1}`))

		a.calls("{}")
		w.session(0).requestsFor("tools/call")[0].answers(`{"old":true}`)
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

	It("distinguishes servers of the same name in two toolboxes", inWorld(func(w *world) {
		w.joins()
		other := sharedServer("{}")
		other.ID.Toolbox = "ops"
		Expect(w.shared.Connect(w.t.Context(), other, &fakeHost{}, nil)).Error().NotTo(HaveOccurred())
		attempts, _, _ := w.seen()
		Expect(attempts).To(Equal(2))
	}))
})

var _ = Describe("A session that hosts share and the user restarts", func() {
	It("ends for all of them with that reason, and is made again once", inWorld(func(w *world) {
		a, b := w.joins(), w.joins()
		a.calls("{}")

		w.shared.End(sharedServer("{}").ID)
		synctest.Wait()

		for _, g := range []guest{a, b} {
			Expect(g.Done()).To(BeClosed())
			Expect(g.Err()).To(MatchError(ContainSubstring("the user restarted it")))
		}
		Expect(a.hears()).To(ConsistOf(ContainSubstring("the user restarted it")))
		Expect(w.session(0).done).To(BeClosed())
		w.joins()
		w.joins()
		attempts, live, maxLive := w.seen()
		Expect([]int{attempts, live, maxLive}).To(Equal([]int{2, 1, 1}))
	}))
})
