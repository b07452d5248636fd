package streamablehttp_test

import (
	"log/slog"
	"testing"

	. "github.com/onsi/ginkgo/v2"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/adapters/downstream/sse"
	"mcp-workbench/adapters/downstream/streamablehttp"
	"mcp-workbench/tests/contract"
	"mcp-workbench/tests/fixtures/remote"
	"mcp-workbench/tests/spec"
)

func TestHTTP(t *testing.T) { spec.Run(t, "The http transport") }

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
	return streamablehttp.New(identity, sse.New(identity, nil, log), nil, log)
}
