package mcpclient_test

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

func TestMCPClient(t *testing.T) {
	suite = t
	RegisterFailHandler(Fail)
	RunSpecs(t, "The MCP client")
}

var _ = BeforeEach(func() {
	before := gleak.Goroutines()
	DeferCleanup(func() { Eventually(gleak.Goroutines).WithTimeout(10 * time.Second).ShouldNot(gleak.HaveLeaked(before)) })
})

// inBubble runs the body of a spec with a connection, where time is not the
// clock's and settle waits until nothing more can happen. A bubble ends when every
// goroutine in it has ended, so every spec shows that none is left.
func inBubble(body func(c *connection)) {
	synctest.Test(suite, func(*testing.T) {
		defer GinkgoRecover()
		c := newConnection()
		defer c.end()
		body(c)
	})
}

func settle() { synctest.Wait() }
