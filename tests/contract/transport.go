package contract

import (
	. "github.com/onsi/ginkgo/v2"
)

// DescribeTransport registers the specs for a kind of transport. Each spec calls
// newHarness once.
func DescribeTransport(kind string, newHarness func() Harness) bool {
	return Describe("The transport "+kind+", like every other,", func() {
		var on trial
		BeforeEach(func() {
			on.harness = newHarness()
			on.setUp(kind)
			DeferCleanup(on.tearDown)
		})
		describeSettings(&on)
		describeConnecting(&on)
		describeListing(&on)
		describeCalling(&on)
		describeGivingUp(&on)
		describeBounds(&on)
		describeMessages(&on)
		describeQuestions(&on)
		describeEnding(&on)
	})
}
