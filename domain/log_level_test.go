package domain_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

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
