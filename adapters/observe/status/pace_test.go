package status_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/observe/status"
)

var _ = Describe("The pace of questions", func() {
	begin := time.Date(2026, 11, 23, 8, 0, 0, 0, time.UTC)

	It("accepts twenty questions immediately, and the next twenty after a tenth of a second", func() {
		pace := status.Pace{}
		for range 20 {
			Expect(pace.Accept(begin)).To(BeZero())
		}
		Expect(pace.Accept(begin.Add(30 * time.Millisecond))).To(Equal(70 * time.Millisecond))
		for range 19 {
			Expect(pace.Accept(begin.Add(100 * time.Millisecond))).To(BeZero())
		}
		Expect(pace.Accept(begin.Add(100 * time.Millisecond))).To(Equal(100 * time.Millisecond))
	})

	It("accepts at most 200 questions a second, however many programs ask", func() {
		pace, now, accepted := status.Pace{}, begin, 0
		for now.Before(begin.Add(10 * time.Second)) {
			now = now.Add(pace.Accept(now) + 10*time.Microsecond)
			accepted++
		}
		Expect(accepted).To(BeNumerically("~", 2000, 30))
	})

	It("does not wait when the clock is set back", func() {
		pace := status.Pace{}
		for range 20 {
			pace.Accept(begin)
		}
		Expect(pace.Accept(begin.Add(-time.Hour))).To(BeZero())
	})
})
