package example_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"sync"
	"testing"

	. "github.com/onsi/ginkgo/v2"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/domain"
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

// A transport connects to a server by its settings; the session lists and calls its tools.
func Example() {
	listener := sockets.Start("tcp", "127.0.0.1:0", script.Script{
		Tools: []string{`{"name":"greet","inputSchema":{"type":"object"}}`},
		Rules: []script.Rule{{Method: "tools/call", Do: []script.Step{{Result: `{"content":[{"type":"text","text":"hello"}]}`}}}},
	})
	defer listener.Close()
	server := domain.Server{
		Limits:   domain.DefaultLimits(),
		ID:       domain.ServerID{Toolbox: "dev", Server: "near"},
		Settings: json.RawMessage(`{"address":` + strconv.Quote(listener.Address()) + `}`),
	}

	ctx := context.Background()
	session, err := newTransport().Connect(ctx, server, contract.DeafHost{}, contract.OpenPolicy{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = session.Close(ctx) }() // a server that had to be killed is no failure
	list, err := session.ListTools(ctx)
	fmt.Println(len(list.Tools), list.Tools[0].Name, err)

	replied := make(chan string)
	session.CallTool(ctx, ports.ToolCall{Name: "greet", Arguments: json.RawMessage(`{}`)}, func(answer ports.Answer, err error) {
		replied <- string(answer.Result) // a copy: the bytes are valid until the function returns
	})
	fmt.Println(<-replied)
	// Output:
	// 1 greet <nil>
	// {"content":[{"type":"text","text":"hello"}]}
}

// Check reads settings without I/O. The failure names the key, what was found and what is wanted.
func ExampleTransport_Check() {
	fmt.Println(newTransport().Check(json.RawMessage(`{"address":"localhost"}`)))
	fmt.Println(newTransport().Check(json.RawMessage(`{"address":"localhost:7000"}`)))
	// Output:
	// [address]: found "localhost", want host and port, such as "localhost:7000"
	// <nil>
}

func newTransport() *example.Transport {
	return example.New(mcpclient.Identity{Name: "workbench", Version: "test"}, (&net.Dialer{}).DialContext, slog.New(slog.DiscardHandler))
}
