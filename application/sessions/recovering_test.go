package sessions_test

import (
	"errors"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

var _ = Describe("A server that fails", func() {
	It("fails callers at once during a pause, with the reason and the time of the next attempt", spec.InBubble(func(t *testing.T) {
		w := start(t, server("db"))
		w.servers["db"].fail("no such program; the end of its stderr: oh no")
		_ = w.uses("db")
		_ = w.uses("db")
		begun := time.Now()

		_, err := w.connect("db")

		Expect(time.Since(begun)).To(BeZero())
		Expect(err).To(HaveField("Reason", And(
			HaveField("Failure", MatchError(ContainSubstring("no such program; the end of its stderr: oh no"))), HaveField("Failures", 2),
			HaveField("Stopped", false), HaveField("Wait", BeNumerically("~", time.Second, 200*time.Millisecond)),
		)))
	}))

	It("is not tried for a minute after five failures in three minutes, then once", spec.InBubble(func(t *testing.T) {
		w := start(t, server("db"))
		server := w.servers["db"]
		server.fail("no such program")
		_, _ = w.connect("db")
		for countStarts(server) < 5 {
			_ = w.uses("db")
			time.Sleep(time.Second)
		}
		time.Sleep(58 * time.Second)

		Expect(w.uses("db")).To(HaveField("Reason", And(HaveField("Failures", 5), HaveField("Stopped", true), HaveField("Wait", time.Second))))
		Expect(countStarts(server)).To(Equal(5))

		time.Sleep(time.Second)
		for range 10 {
			_ = w.uses("db")
		}
		Expect(countStarts(server)).To(Equal(6))

		server.failure = nil
		time.Sleep(time.Minute)
		Expect(w.uses("db")).To(Succeed())
		Expect(countStarts(server)).To(Equal(7))
	}))

	It("is started only after nothing is left of the last process", spec.InBubble(func(t *testing.T) {
		w := start(t, server("db"))
		server := w.servers["db"]
		server.requests = func(_ ports.Request, reply ports.Reply) { reply(ports.Answer{}, &domain.TimedOutError{}) }
		server.calls = func(reply ports.Reply) { reply(ports.Answer{}, &domain.TimedOutError{}) }
		server.closing = 2 * time.Second
		for range 3 {
			_ = w.uses("db")
		}
		server.calls = nil
		begun := time.Now()

		_, err := w.connect("db")

		Expect(err).NotTo(HaveOccurred())
		Expect(time.Since(begun)).To(Equal(2 * time.Second))
		Expect(server.maxLive).To(Equal(1))
	}))
})

var _ = Describe("A server that was lost and started again", func() {
	db := server("db").ID

	It("is reported to the host, and to the next opening, once", spec.InBubble(func(t *testing.T) {
		w := start(t, server("db"))
		Expect(w.uses("db")).To(Succeed())
		w.servers["db"].die()

		Expect(w.uses("db")).To(Succeed())

		Expect(w.host.recorded()).To(Equal([]string{"db: restarted"}))
		Expect(w.sessions.TakeNews(db, true)).To(HaveExactElements(HaveField("Reason", &domain.ServerUnavailableError{ID: db, Reason: errors.New("it is gone")})))
		Expect(w.sessions.TakeNews(db, true)).To(BeEmpty(), "it is reported once")
	}))

	It("is reported even if it failed to start in between", spec.InBubble(func(t *testing.T) {
		w := start(t, server("db"))
		Expect(w.uses("db")).To(Succeed())
		w.servers["db"].die()
		w.servers["db"].fail("no such program")
		_ = w.uses("db")
		w.servers["db"].failure = nil
		time.Sleep(2 * time.Second)

		Expect(w.uses("db")).To(Succeed())
		Expect(w.sessions.TakeNews(db, true)).To(HaveLen(1))
	}))

	It("is not reported when it was never up before", spec.InBubble(func(t *testing.T) {
		w := start(t, server("db"))
		w.servers["db"].fail("no such program")
		_ = w.uses("db")
		w.servers["db"].failure = nil

		Expect(w.uses("db")).To(Succeed())
		Expect(w.sessions.TakeNews(db, true)).To(BeEmpty())
		Expect(w.host.recorded()).To(BeEmpty())
	}))
})

var _ = Describe("A server that fails at random", func() {
	It("is started no sooner and no later than the policy says", Label("L09"), spec.InBubble(func(t *testing.T) {
		seed := rand.Uint64()
		AddReportEntry("seed", seed)
		chance := rand.New(rand.NewPCG(seed, 0))
		for range 20 {
			playAtRandom(start(t, server("db")), chance)
		}
	}))
})

// history is the input of the policy.
type history struct {
	failures []time.Time // since the server was up for a minute
	broken   bool
}

func (h *history) fail() {
	h.failures = append(h.failures, time.Now())
	if n := len(h.failures); n >= 5 && h.failures[n-1].Sub(h.failures[n-5]) <= 3*time.Minute {
		h.broken = true
	}
}

// pause returns the bounds of the time after the last failure at which a start is allowed.
func (h *history) pause() (soonest, latest time.Duration) {
	n := len(h.failures)
	switch {
	case h.broken:
		return time.Minute, time.Minute
	case n < 2:
		return 0, 0
	}
	pause := min(time.Second<<(n-2), 30*time.Second)
	return pause * 8 / 10, pause * 12 / 10
}

// playAtRandom makes a server fail to start and die early and late, and checks each
// start.
func playAtRandom(w *fixture, chance *rand.Rand) {
	server := w.servers["db"]
	Expect(w.uses("db")).To(Succeed())
	up := time.Now()
	isUp := true
	var h history
	for range 100 {
		time.Sleep(time.Duration(chance.ExpFloat64() * float64(10*time.Second)))
		if isUp && chance.IntN(2) == 0 {
			server.die()
			synctest.Wait()
			if time.Since(up) >= time.Minute {
				h = history{}
			}
			h.fail()
			isUp = false
		}
		server.failure = nil
		if chance.IntN(3) > 0 {
			server.fail("no such program")
		}
		before := countStarts(server)
		_ = w.uses("db")
		started := countStarts(server) > before
		if isUp {
			Expect(started).To(BeFalse())
			continue
		}
		waited := time.Since(h.failures[len(h.failures)-1])
		soonest, latest := h.pause()
		if started {
			Expect(waited).To(BeNumerically(">=", soonest))
		} else {
			Expect(waited).To(BeNumerically("<", latest))
		}
		switch {
		case started && server.failure != nil:
			h.fail()
		case started:
			isUp, up = true, time.Now()
		}
	}
}
