package jsonrpc_test

import (
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gleak"
)

// patience is how long a spec waits for what must come.
const patience = 30 * time.Second

// suite is what runs the specs; bubbles need it.
var suite *testing.T

func TestJSONRPC(t *testing.T) {
	suite = t
	RegisterFailHandler(Fail)
	RunSpecs(t, "JSON-RPC")
}

var _ = BeforeEach(func() {
	before := gleak.Goroutines()
	DeferCleanup(func() { Eventually(gleak.Goroutines).WithTimeout(10 * time.Second).ShouldNot(gleak.HaveLeaked(before)) })
})

// inBubble runs the body of a spec where synctest.Wait waits until nothing more
// can happen.
func inBubble(body func()) {
	synctest.Test(suite, func(*testing.T) {
		defer GinkgoRecover()
		body()
	})
}
