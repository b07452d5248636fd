package memory_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"testing"

	. "github.com/onsi/ginkgo/v2"

	"mcp-workbench/ports"
	"mcp-workbench/tests/contract"
	"mcp-workbench/tests/contract/memory"
	"mcp-workbench/tests/fixtures/script"
	"mcp-workbench/tests/spec"
)

func TestMemory(t *testing.T) {
	spec.Run(t, "The transport in memory")
}

var (
	_ = contract.DescribeTransport("memory", newHarness)
	_ = contract.DescribeModernTransport("memory", newHarness)
)

func newHarness() contract.Harness {
	return &harness{transport: memory.New(slog.New(slog.NewTextHandler(GinkgoWriter, &slog.HandlerOptions{Level: slog.LevelDebug})))}
}

// harness is the servers in memory, as the kit wants them.
type harness struct {
	transport *memory.Transport
	added     int
}

func (h *harness) Transport() ports.Transport { return h.transport }

func (h *harness) Serve(s script.Script) json.RawMessage {
	h.added++
	name := fmt.Sprintf("server %d", h.added)
	h.transport.Add(name, s)
	return json.RawMessage(`{"name":"` + name + `"}`)
}

func (h *harness) Unreachable() json.RawMessage { return json.RawMessage(`{"name":"nobody"}`) }

func (h *harness) Wrong() []contract.Wrong {
	return []contract.Wrong{
		{Because: "no name", Settings: `{}`, Keys: [][]string{{"name"}}},
		{Because: "a number for a name", Settings: `{"name":7}`, Keys: [][]string{{"name"}}},
		{Because: "no object", Settings: `[]`, Keys: [][]string{nil}},
	}
}

func (h *harness) Break() { h.transport.Break() }

func (h *harness) Running() int { return h.transport.Open() }
