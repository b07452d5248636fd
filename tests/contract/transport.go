package contract

import (
	. "github.com/onsi/ginkgo/v2"
)

// DescribeTransport registers the specs for a kind of transport. Each spec calls
// newHarness once.
func DescribeTransport(kind string, newHarness func() Harness) bool {
	return describe(kind, "like every other,", false, newHarness)
}

// DescribeModernTransport registers the specs for a kind of transport once more, with
// servers that speak only 2026-07-28, and with expectations for that version.
func DescribeModernTransport(kind string, newHarness func() Harness) bool {
	return describe(kind, "like every other with servers of 2026-07-28,", true, newHarness)
}

func describe(kind, like string, modern bool, newHarness func() Harness) bool {
	return Describe("The transport "+kind+", "+like, func() {
		on := trial{modern: modern}
		BeforeEach(func() {
			on.harness = newHarness()
			on.setUp(kind)
			DeferCleanup(on.tearDown)
		})
		describeSettings(&on)
		describeConnecting(&on)
		describeListing(&on)
		describePrompts(&on)
		describeCalling(&on)
		describeGivingUp(&on)
		describeBounds(&on)
		describeMessages(&on)
		describeEnding(&on)
		if on.modern {
			describeInput(&on)
			return
		}
		describeOlderHandshake(&on)
		describeAnnouncing(&on)
		describeQuestions(&on)
		describeAskedToEnd(&on)
	})
}
