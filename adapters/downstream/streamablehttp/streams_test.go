package streamablehttp_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/streamablehttp"
)

const (
	ms      = time.Millisecond
	briefly = 10 * ms
	while   = time.Minute
)

var _ = DescribeTable("A stream that ended is opened again", Label("TO06"), func(retry time.Duration, wasOpen, expected []time.Duration) {
	Expect(streamablehttp.Pauses(retry, wasOpen...)).To(Equal(expected))
},
	Entry("after growing pauses, when its server sets no time", time.Duration(0),
		[]time.Duration{briefly, 0, briefly, 0, 0, 0, 0}, []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second, 30 * time.Second, 30 * time.Second}),
	Entry("after the first pause again once it was open for a while", time.Duration(0),
		[]time.Duration{briefly, briefly, while, briefly}, []time.Duration{time.Second, 2 * time.Second, time.Second, 2 * time.Second}),
	Entry("no sooner than its server says", 34*time.Second, []time.Duration{while, briefly, 0}, []time.Duration{34 * time.Second, 34 * time.Second, 34 * time.Second}),
	Entry("once at its server's short interval, then after growing pauses", ms, []time.Duration{briefly, briefly, briefly}, []time.Duration{ms, 2 * time.Second, 4 * time.Second}),
	Entry("soon after each stream that was open for a while", 500*ms, []time.Duration{while, while, while}, []time.Duration{500 * ms, 500 * ms, 500 * ms}),
	Entry("within minutes, even if its server asks for longer", 24*time.Hour, []time.Duration{while, briefly}, []time.Duration{10 * time.Minute, 10 * time.Minute}),
)

var _ = DescribeTable("The stream of a call is resumed", Label("TO06"), func(retry time.Duration, expected ...time.Duration) {
	Expect(streamablehttp.PausesOfCall(retry, briefly, briefly, briefly, while)).To(Equal(expected))
},
	Entry("after a second, when its server sets no time", time.Duration(0), time.Second, time.Second, time.Second, time.Second),
	Entry("as its server says", 5*time.Second, 5*time.Second, 5*time.Second, 5*time.Second, 5*time.Second),
	Entry("at most once a second after the first attempt, when its server sets less", ms, ms, time.Second, time.Second, ms),
)
