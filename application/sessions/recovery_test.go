package sessions_test

import (
	"errors"
	"math/rand/v2"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
)

var _ = Describe("The recovery of a server that fails", func() {
	const noJitter = 0.5
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

	// pauses returns the pauses after failures, each of which comes that much later than
	// an attempt is allowed.
	pauses := func(r *sessions.Recovery, failures int, more time.Duration, chance float64) []time.Duration {
		var times []time.Duration
		at := now
		for range failures {
			r.Failed(at, chance)
			pause := r.Pause(at)
			times = append(times, pause)
			at = at.Add(pause + more)
		}
		return times
	}

	It("pauses from the second failure in a row on, for twice as long each time, up to half a minute", func() {
		Expect(pauses(&sessions.Recovery{}, 8, time.Minute, noJitter)).To(Equal([]time.Duration{
			0, time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second, 30 * time.Second, 30 * time.Second,
		}))
	})

	It("makes each pause up to a fifth shorter or longer", func() {
		Expect(pauses(&sessions.Recovery{}, 2, 0, 0)[1]).To(Equal(800 * time.Millisecond))
		Expect(pauses(&sessions.Recovery{}, 2, 0, 1)[1]).To(Equal(1200 * time.Millisecond))
	})

	It("pauses for a minute from the fifth failure within three minutes on", func() {
		Expect(pauses(&sessions.Recovery{}, 7, 0, noJitter)[4:]).To(Equal([]time.Duration{time.Minute, time.Minute, time.Minute}))
	})

	It("forgets the failures after a minute of uptime, and not before", func() {
		var r sessions.Recovery
		pauses(&r, 2, 0, noJitter)

		r.Ended(time.Minute - 1)
		Expect(pauses(&r, 1, 0, noJitter)).To(Equal([]time.Duration{2 * time.Second}))

		r.Ended(time.Minute)
		Expect(pauses(&r, 1, 0, noJitter)).To(Equal([]time.Duration{0}))
	})

	It("refuses attempts only during a pause, and says when the next one is allowed", func() {
		var r sessions.Recovery
		Expect(r.Refusal(now)).NotTo(HaveOccurred())
		r.Failed(now, noJitter)
		Expect(r.Refusal(now)).NotTo(HaveOccurred())
		r.Failed(now, noJitter)

		Expect(r.Refusal(now)).To(Equal(&domain.PausedError{Failure: errors.New("no such program"), Failures: 2, Wait: time.Second}))
		Expect(r.Refusal(now.Add(time.Second - 1))).To(HaveField("Wait", time.Duration(1)))
		Expect(r.Refusal(now.Add(time.Second))).NotTo(HaveOccurred())
	})

	It("never pauses for longer than a minute, whatever happens", func() {
		seed := rand.Uint64()
		AddReportEntry("seed", seed)
		chance := rand.New(rand.NewPCG(seed, 0))
		var r sessions.Recovery
		at := now
		for range 10_000 {
			at = at.Add(time.Duration(chance.ExpFloat64() * float64(20*time.Second)))
			if chance.IntN(5) == 0 {
				r.Ended(time.Duration(chance.ExpFloat64() * float64(time.Minute)))
				continue
			}
			r.Failed(at, chance.Float64())
			Expect(r.Pause(at)).To(BeNumerically("<=", time.Minute))
			Expect(r.Refusal(at.Add(time.Minute))).NotTo(HaveOccurred())
		}
	})
})
