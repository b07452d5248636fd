package sse_test

import (
	"log/slog"
	"testing"

	. "github.com/onsi/ginkgo/v2"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/adapters/downstream/sse"
	"mcp-workbench/tests/contract"
	"mcp-workbench/tests/fixtures/remote"
	"mcp-workbench/tests/spec"
)

func TestSSE(t *testing.T) { spec.Run(t, "The sse transport") }

var _ = contract.DescribeTransport("sse", func() contract.Harness {
	return contract.NewWebHarness(newTransport(), remote.StartOlder)
})

// newTransport returns a transport whose log is shown when a spec fails.
func newTransport() *sse.Transport {
	log := slog.New(slog.NewTextHandler(GinkgoWriter, &slog.HandlerOptions{Level: slog.LevelDebug}))
	return sse.New(mcpclient.Identity{Name: "workbench", Version: "test"}, nil, log)
}
