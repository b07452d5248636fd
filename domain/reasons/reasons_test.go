package reasons_test

import (
	"errors"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/domain/reasons"
	"mcp-workbench/tests/spec"
)

func TestReasons(t *testing.T) { spec.Run(t, "Why a server cannot be used") }

var _ = Describe("A reason", func() {
	DescribeTable("for a server that is still starting rounds what was waited, and ends with its stderr",
		func(waited time.Duration, stderr, text string) {
			Expect(reasons.StillStarting(waited, stderr)).To(Equal(text))
		},
		Entry("a part of a second", 250*time.Millisecond, "", "still starting after 0.25s; open the toolbox again to see its tools"),
		Entry("seconds", 3_049*time.Millisecond, "", "still starting after 3s; open the toolbox again to see its tools"),
		Entry("stderr", time.Second, "npm: x", "still starting after 1s; open the toolbox again to see its tools; the end of its stderr: npm: x"),
	)

	It("for a server that is being installed says that this goes on", func() {
		Expect(reasons.StillInstalling(45*time.Second, "a@1.2.3")).To(
			Equal("its package a@1.2.3 is still being installed after 45s, and that goes on; open the toolbox again to see its tools"))
	})

	It("for an attempt over the limit adds what the server said, and nothing else", func() {
		said := &domain.ServerUnavailableError{Reason: "it ended"}

		Expect(reasons.ConnectTimeout(10*time.Second, said)).To(Equal("connection timeout after 10s (limits.connect raises it); it ended"))
		Expect(reasons.ConnectTimeout(time.Second, errors.New("secret"))).To(Equal("connection timeout after 1s (limits.connect raises it)"))
	})

	It("for a pause never names a moment that is too early", func() {
		Expect(reasons.Paused("it ended", 2, false, 1_001*time.Millisecond)).To(
			Equal("it ended; it failed 2 times in a row; the next try is in 2s"))
		Expect(reasons.Paused("it ended", 6, true, time.Minute)).To(
			Equal("it ended; it failed 6 times in a row, so tries are stopped for a while; the next try is in 60s"))
	})
})
