package demo_test

import (
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gleak"
)

// suite is what runs the specs; bubbles need it.
var suite *testing.T

func TestDemo(t *testing.T) {
	suite = t
	RegisterFailHandler(Fail)
	RunSpecs(t, "The demo server")
}

var _ = BeforeEach(func() {
	before := gleak.Goroutines()
	DeferCleanup(func() { Eventually(gleak.Goroutines).WithTimeout(10 * time.Second).ShouldNot(gleak.HaveLeaked(before)) })
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
