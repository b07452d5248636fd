package example_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"strconv"
	"sync"
	"testing"

	. "github.com/onsi/ginkgo/v2"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/ports"
	"mcp-workbench/tests/contract"
	"mcp-workbench/tests/contract/example"
	"mcp-workbench/tests/fixtures/script"
	"mcp-workbench/tests/fixtures/sockets"
	"mcp-workbench/tests/spec"
)

func TestExample(t *testing.T) { spec.Run(t, "The transport of the worked example") }

var (
	_ = contract.DescribeTransport("tcp", func() contract.Harness { return newHarness() })
	_ = contract.DescribeModernTransport("tcp", func() contract.Harness { return newHarness() })
)

// harness has scripted servers at TCP addresses on this machine.
type harness struct {
	transport *example.Transport
	servers   []*sockets.Server

	mu     sync.Mutex
	dialed map[*connection]bool // what the transport keeps open
}

func newHarness() *harness {
	h := &harness{dialed: map[*connection]bool{}}
	log := slog.New(slog.NewTextHandler(GinkgoWriter, &slog.HandlerOptions{Level: slog.LevelDebug}))
	h.transport = example.New(mcpclient.Identity{Name: "workbench", Version: "test"}, h.dial, log)
	return h
}

func (h *harness) Transport() ports.Transport { return h.transport }

func (h *harness) Serve(s script.Script) json.RawMessage {
	server := sockets.Start("tcp", "127.0.0.1:0", s)
	DeferCleanup(server.Close)
	h.servers = append(h.servers, server)
	return json.RawMessage(`{"address":` + strconv.Quote(server.Address()) + `}`)
}

func (h *harness) Unreachable() json.RawMessage { return json.RawMessage(`{"address":"127.0.0.1:1"}`) }

func (h *harness) Wrong() []contract.Wrong {
	return []contract.Wrong{{Because: "no port", Settings: `{"address":"localhost"}`, Keys: [][]string{{"address"}}}}
}

func (h *harness) Break() {
	for _, server := range h.servers {
		server.Cut()
	}
}

func (h *harness) Running() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.dialed)
}

// connection is an open connection of the harness.
type connection struct {
	*net.TCPConn
	harness *harness
}

func (h *harness) dial(ctx context.Context, network, address string) (net.Conn, error) {
	dialed, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	c := &connection{TCPConn: dialed.(*net.TCPConn), harness: h}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.dialed[c] = true
	return c, nil
}

func (c *connection) Close() error {
	c.harness.mu.Lock()
	delete(c.harness.dialed, c)
	c.harness.mu.Unlock()
	return c.TCPConn.Close()
}
