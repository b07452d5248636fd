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
