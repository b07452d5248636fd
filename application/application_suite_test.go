package application_test

import (
	"runtime"
	"testing"
	"testing/synctest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gleak"
)

// suite is what runs the specs; bubbles need it.
var suite *testing.T

func TestApplication(t *testing.T) {
	suite = t
	// With the race detector, timers of one bubble that end at the same moment on two
	// processors crash the runtime now and then (golang/go#78156).
	runtime.GOMAXPROCS(1)
	RegisterFailHandler(Fail)
	RunSpecs(t, "The use cases")
}

var _ = BeforeEach(func() {
	before := gleak.Goroutines()
	DeferCleanup(func() { Eventually(gleak.Goroutines).ShouldNot(gleak.HaveLeaked(before)) })
})

// inBubble makes the body of a spec with a clock of its own, which moves when
// everything waits. Goroutines that are left when it ends fail the run.
func inBubble(body func(t *testing.T)) func() {
	return func() {
		synctest.Test(suite, func(t *testing.T) {
			defer GinkgoRecover()
			body(t)
		})
	}
}
