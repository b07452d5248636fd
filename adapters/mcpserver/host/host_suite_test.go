package host_test

import (
	"log/slog"
	"sync"
	"testing"

	. "github.com/onsi/ginkgo/v2"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/mcpserver/host"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/tests/spec"
)

func TestHost(t *testing.T) { spec.Run(t, "A host as servers see it") }

// files is the server that most specs are about.
var files = domain.ServerID{Toolbox: "dev", Server: "files"}

// connection keeps what is written to the host.
type connection struct {
	mu      sync.Mutex
	written []string
}

func (c *connection) Write(frame jsonrpc.Frame) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.written = append(c.written, string(frame.Message()))
}

func (c *connection) TryWrite(frame jsonrpc.Frame) error {
	c.Write(frame)
	return nil
}

// heard returns what was written since it was called last.
func (c *connection) heard() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	written := c.written
	c.written = nil
	return written
}

// connectedHost returns a host of 2026-07-28 that declared its capabilities.
func connectedHost(capabilities string) (*host.Host, *connection) {
	h, c := host.New(slog.New(slog.DiscardHandler)), &connection{}
	h.Connect(c)
	h.Declare([]byte(capabilities))
	return h, c
}

// initializedHost returns a host that declared its capabilities in a handshake.
func initializedHost(capabilities string) (*host.Host, *connection) {
	h, c := connectedHost(capabilities)
	h.Initialize()
	return h, c
}

// answer has the host send responses.
func answer(h *host.Host, lines ...string) {
	GinkgoHelper()
	for _, line := range lines {
		message := spec.Must(jsonrpc.ParseMessage(rawjson.NewScanner(), []byte(line)))
		h.Answered(message)
	}
}
