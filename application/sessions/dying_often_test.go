package sessions_test

import (
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
)

var _ = Describe("A server that dies ten thousand times in a week", func() {
	It("is started again each time, and leaves no goroutine behind", spec.InBubble(func(t *testing.T) {
		w := start(t, server("db"))
		dieAndUse := func(times int) {
			for range times {
				time.Sleep(time.Minute) // of uptime, which clears the count of failures
				w.servers["db"].die()
				Expect(w.uses("db")).To(Succeed())
			}
			synctest.Wait()
		}
		Expect(w.uses("db")).To(Succeed())
		dieAndUse(10)
		before := runtime.NumGoroutine()

		dieAndUse(10_000)

		// Goroutines of other specs may have ended or begun.
		Expect(runtime.NumGoroutine()).To(BeNumerically("<", before+100))
		Expect(countStarts(w.servers["db"])).To(Equal(10_011))
	}))
})
