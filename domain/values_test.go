package domain_test

import (
	"math"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = Describe("A backoff", func() {
	backoff := domain.Backoff{First: time.Second, Max: 30 * time.Second}

	DescribeTable("doubles its pause with each failure, up to the longest one",
		func(failures int, pause time.Duration) { Expect(backoff.Pause(failures)).To(Equal(pause)) },
		Entry("after the first", 1, time.Second),
		Entry("after the second", 2, 2*time.Second),
		Entry("after the fifth", 5, 16*time.Second),
		Entry("after the sixth", 6, 30*time.Second),
		Entry("after as many as can be counted", math.MaxInt, 30*time.Second),
	)

	It("never pauses for longer than its maximum", func() {
		Expect(domain.Backoff{First: time.Minute, Max: time.Second}.Pause(1)).To(Equal(time.Second))
	})
})

var _ = Describe("A log level", func() {
	It("is more severe than those before it", func() {
		var before int
		for i, level := range []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"} {
			Expect(domain.IsLogLevel(level)).To(BeTrue())
			if i > 0 {
				Expect(domain.LogSeverity(level)).To(BeNumerically(">", before), level)
			}
			before = domain.LogSeverity(level)
		}
		Expect(domain.LogSeverity("loud")).To(Equal(domain.LogSeverity("info")), "for a text that is not a level")
		Expect(domain.LogSeverity("")).To(Equal(domain.LogSeverity(domain.LowestLogLevel)))
	})

	It("has one of eight names", func() {
		for _, name := range []string{"", "loud", "Debug", "warn"} {
			Expect(domain.IsLogLevel(name)).To(BeFalse(), name)
		}
	})
})

var _ = Describe("Recent names", func() {
	It("keep their last value", func() {
		var recent domain.Recent[string, int]
		recent.Put("a", 1, 4)
		recent.Put("a", 2, 4)

		value, known := recent.Get("a")
		Expect(value).To(Equal(2))
		Expect(known).To(BeTrue())
	})

	It("are at least half of the most, and at most all of it", func() {
		var recent domain.Recent[int, int]
		const most = 10
		for i := range 100 {
			recent.Put(i, i, most)
			count := 0
			for j := range i + 1 {
				if _, known := recent.Get(j); known {
					count++
					Expect(j).To(BeNumerically(">", i-most))
				} else {
					Expect(j).To(BeNumerically("<=", i-most/2))
				}
			}
			Expect(count).To(BeNumerically("<=", most))
		}
	})

	It("are unknown at first", func() {
		var recent domain.Recent[string, int]

		_, known := recent.Get("a")
		Expect(known).To(BeFalse())
	})
})
