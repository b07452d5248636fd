package streamablehttp_test

import (
	"log/slog"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gleak"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/adapters/downstream/sse"
	"mcp-workbench/adapters/downstream/streamablehttp"
	"mcp-workbench/tests/contract"
	"mcp-workbench/tests/fixtures/remote"
)

func TestHTTP(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "The http transport")
}

var _ = BeforeEach(func() {
	before := gleak.Goroutines()
	// Scripted servers of this process may hang for ever, as their scripts say.
	scripted := gleak.IgnoringInBacktrace("mcp-workbench/tests/fixtures/")
	DeferCleanup(func() {
		Eventually(gleak.Goroutines).WithTimeout(10 * time.Second).ShouldNot(gleak.HaveLeaked(before, scripted))
	})
})

var (
	_ = contract.DescribeTransport("http", func() contract.Harness {
		return contract.NewWebHarness(newTransport(), remote.StartStreamable)
	})
	_ = contract.DescribeModernTransport("http", func() contract.Harness {
		return contract.NewWebHarness(newTransport(), remote.StartModern)
	})
)

// newTransport returns a transport whose log is shown when a spec fails.
func newTransport() *streamablehttp.Transport {
	log := slog.New(slog.NewTextHandler(GinkgoWriter, &slog.HandlerOptions{Level: slog.LevelDebug}))
	identity := mcpclient.Identity{Name: "workbench", Version: "test"}
	return streamablehttp.New(identity, sse.New(identity, log), log)
}
