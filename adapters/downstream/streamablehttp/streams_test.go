package streamablehttp_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/streamablehttp"
)

var _ = DescribeTable("A stream that ended is opened again", func(retry, first, last time.Duration) {
	soonest, latest := streamablehttp.PauseAfter(retry)

	Expect(soonest).To(Equal(first))
	Expect(latest).To(Equal(last))
},
	Entry("after a pause that grows, when its server does not say", time.Duration(0), time.Second, 30*time.Second),
	Entry("no sooner than its server says", 34*time.Second, 34*time.Second, 34*time.Second),
	Entry("soon when its server says so, and later when that fails", 10*time.Millisecond, 10*time.Millisecond, 30*time.Second),
	Entry("within minutes, whatever its server says", 24*time.Hour, 10*time.Minute, 10*time.Minute),
)
