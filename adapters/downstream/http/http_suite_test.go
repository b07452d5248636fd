package http_test

import (
	"encoding/json"
	"log/slog"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gleak"

	"mcp-workbench/adapters/downstream/http"
	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/adapters/downstream/sse"
	"mcp-workbench/ports"
	"mcp-workbench/tests/contract"
	"mcp-workbench/tests/fixtures/remote"
	"mcp-workbench/tests/fixtures/script"
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

var _ = contract.DescribeTransport("http", func() contract.Harness {
	return &harness{transport: newTransport(), start: remote.StartStreamable}
})

var _ = contract.DescribeModernTransport("http", func() contract.Harness {
	return &harness{transport: newTransport(), start: remote.StartModern}
})

// newTransport returns a transport whose log is shown when a spec fails.
func newTransport() *http.Transport {
	log := slog.New(slog.NewTextHandler(GinkgoWriter, &slog.HandlerOptions{Level: slog.LevelDebug}))
	identity := mcpclient.Identity{Name: "workbench", Version: "test"}
	return http.New(identity, sse.New(identity, log), log)
}

// harness is scripted servers behind streamable HTTP.
type harness struct {
	transport ports.Transport
	start     func(script.Script) *remote.Server
	servers   []*remote.Server
}

func (h *harness) Transport() ports.Transport { return h.transport }

func (h *harness) Serve(s script.Script) json.RawMessage {
	server := h.start(s)
	DeferCleanup(server.Break)
	h.servers = append(h.servers, server)
	return json.RawMessage(`{"url":"` + server.URL() + `"}`)
}

func (h *harness) Unreachable() json.RawMessage {
	return json.RawMessage(`{"url":"http://127.0.0.1:1/mcp","headers":{"Authorization":"Bearer x"}}`)
}

func (h *harness) Wrong() []contract.Wrong {
	return []contract.Wrong{
		{Because: "no address", Settings: `{}`, Keys: [][]string{{"url"}}},
		{Because: "an empty address", Settings: `{"url":""}`, Keys: [][]string{{"url"}}},
		{Because: "an address of another kind", Settings: `{"url":"file:///mcp"}`, Keys: [][]string{{"url"}}},
		{Because: "an address without a host", Settings: `{"url":"http:///mcp"}`, Keys: [][]string{{"url"}}},
		{Because: "no object", Settings: `["x"]`, Keys: [][]string{nil}},
		{
			Because:  "headers that cannot be sent, and one that can",
			Settings: `{"url":7,"headers":{"A b":"x","Mcp-Session-Id":"x","C":1,"D":"a\r\nE: b","F":"right"}}`,
			Keys:     [][]string{{"url"}, {"headers", "A b"}, {"headers", "Mcp-Session-Id"}, {"headers", "C"}, {"headers", "D"}},
		},
		{Because: "null in place of values", Settings: `{"url":null,"headers":null}`, Keys: [][]string{{"url"}, {"headers"}}},
	}
}

func (h *harness) Break() {
	for _, server := range h.servers {
		server.Break()
	}
}

func (h *harness) Running() int {
	open := 0
	for _, server := range h.servers {
		open += server.Open()
	}
	return open
}
