package sessions_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application/sessions"
	"mcp-workbench/tests/spec"
)

var _ = Describe("The idle limit of a server", func() {
	const limit = time.Minute
	// begin starts an idleness, and returns a counter of how often its limit ran out.
	begin := func() (idle sessions.Idleness, expired func() int32) {
		var count atomic.Int32
		idle = sessions.NewIdleness(limit, func() { count.Add(1) })
		return idle, func() int32 { synctest.Wait(); return count.Load() }
	}

	It("expires once, when the server was not used for the whole limit", spec.InBubble(func(*testing.T) {
		idle, expired := begin()

		time.Sleep(limit - time.Nanosecond)
		Expect(expired()).To(BeZero())
		time.Sleep(time.Nanosecond)
		Expect(expired()).To(BeEquivalentTo(1))
		Expect(idle.Enter()).To(BeFalse())
		time.Sleep(10 * limit)
		Expect(expired()).To(BeEquivalentTo(1))
	}))

	It("is over with the server, whose last call may end later", spec.InBubble(func(*testing.T) {
		idle, expired := begin()
		Expect(idle.Enter()).To(BeTrue())
		idle.Hold("task 1", 0)

		idle.Stop()
		idle.Leave()
		idle.Release("task 1")

		time.Sleep(10 * limit)
		Expect(expired()).To(BeZero())
	}))

	It("starts again with the end of the last of several uses", spec.InBubble(func(*testing.T) {
		idle, expired := begin()
		Expect(idle.Enter()).To(BeTrue())
		Expect(idle.Enter()).To(BeTrue())

		idle.Leave()
		time.Sleep(10 * limit)
		Expect(expired()).To(BeZero())

		idle.Leave()
		time.Sleep(limit - time.Nanosecond)
		Expect(expired()).To(BeZero())
		time.Sleep(time.Nanosecond)
		Expect(expired()).To(BeEquivalentTo(1))
	}))

	It("does not expire while the server is held, however often by one name", spec.InBubble(func(*testing.T) {
		idle, expired := begin()
		idle.Hold("task 1", 0)
		idle.Hold("task 1", 0)
		idle.Hold("task 2", 0)

		idle.Release("task 2")
		time.Sleep(10 * limit)
		Expect(expired()).To(BeZero())

		idle.Release("task 1")
		time.Sleep(limit)
		Expect(expired()).To(BeEquivalentTo(1))
	}))

	It("starts again when the last hold with a limit ends by itself", Label("S23"), spec.InBubble(func(*testing.T) {
		idle, expired := begin()
		idle.Hold("task 1", 5*limit)
		idle.Hold("task 2", 10*limit)

		time.Sleep(11*limit - time.Nanosecond)
		Expect(expired()).To(BeZero())
		time.Sleep(time.Nanosecond)
		Expect(expired()).To(BeEquivalentTo(1))
	}))

	It("remembers at most a thousand holds with a limit", Label("S23"), spec.InBubble(func(*testing.T) {
		idle, expired := begin()
		for n := range 2000 {
			idle.Hold(fmt.Sprint(n), limit)
		}

		Expect(idle.Held()).To(Equal(1000))
		time.Sleep(2 * limit)
		Expect(expired()).To(BeEquivalentTo(1))
	}))

	It("does not expire after it was stopped", spec.InBubble(func(*testing.T) {
		idle, expired := begin()
		idle.Stop()

		time.Sleep(10 * limit)
		Expect(expired()).To(BeZero())
	}))

	It("never expires if it is 0", spec.InBubble(func(*testing.T) {
		idle := sessions.NewIdleness(0, func() { Fail("it ended") })

		time.Sleep(1000 * time.Hour)
		Expect(idle.Enter()).To(BeTrue())
		idle.Leave()
		idle.Stop()
	}))
})
