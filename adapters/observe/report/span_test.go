package report_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/observe/report"
)

var _ = Describe("A time to look back", func() {
	DescribeTable("is read", func(text string, want time.Duration) {
		Expect(report.ParseSpan(text)).To(Equal(want))
	},
		Entry("in seconds", "90s", 90*time.Second), Entry("in minutes", "30m", 30*time.Minute), Entry("in hours", "1h", time.Hour),
		Entry("in days", "30d", 720*time.Hour), Entry("in several units", "1h30m", 90*time.Minute),
	)

	DescribeTable("is refused", func(text string) {
		_, err := report.ParseSpan(text)
		Expect(err).To(MatchError(ContainSubstring("want a time above 0 such as 90s, 30m, 1h or 30d")))
	},
		Entry("without a unit", "30"), Entry("that is 0", "0s"), Entry("that is 0 days", "0d"), Entry("in the future", "-1h"),
		Entry("of part of a day", "1.5d"), Entry("of more than ten years", "3651d"), Entry("that is a word", "yesterday"), Entry("that is empty", ""),
		Entry("that does not fit", "9999999999999h"),
	)
})
