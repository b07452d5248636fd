package stdio_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/ports"
	"mcp-workbench/tests/contract"
	"mcp-workbench/tests/fixtures/script"
)

var (
	_ = contract.DescribeTransport("stdio", func() contract.Harness { return newHarness() })
	_ = contract.DescribeModernTransport("stdio", func() contract.Harness { return newHarness() })
)

// harness is servers that are processes. Each makes a file that is named for its
// process.
type harness struct {
	transport ports.Transport
	dir, pids string
	scripts   int
}

func newHarness() *harness {
	GinkgoHelper()
	h := &harness{transport: newTransport(), dir: GinkgoT().TempDir()}
	h.pids = filepath.Join(h.dir, "pids")
	Expect(os.Mkdir(h.pids, 0o700)).To(Succeed())
	return h
}

func (h *harness) Transport() ports.Transport { return h.transport }

func (h *harness) Serve(s script.Script) json.RawMessage {
	GinkgoHelper()
	h.scripts++
	path := filepath.Join(h.dir, fmt.Sprintf("%d.json", h.scripts))
	s.Start = append([]script.Step{{Touch: filepath.Join(h.pids, "${pid}")}}, s.Start...)
	Expect(s.Save(path)).To(Succeed())
	settings, err := json.Marshal(map[string]any{"command": scriptedServer, "args": []string{"-script", path}})
	Expect(err).NotTo(HaveOccurred())
	return settings
}

func (h *harness) Unreachable() json.RawMessage {
	return json.RawMessage(`{"command":"/no/such/program"}`)
}

func (h *harness) Wrong() []contract.Wrong {
	return []contract.Wrong{
		{Because: "a word for variables", Settings: `{"command":"x","inheritEnv":"some"}`, Keys: [][]string{{"inheritEnv"}}},
		{Because: "null for variables", Settings: `{"command":"x","inheritEnv":null}`, Keys: [][]string{{"inheritEnv"}}},
	}
}

func (h *harness) Break() {
	for _, pid := range h.servers() {
		kill(pid)
	}
}

func (h *harness) Running() int { return len(h.servers()) }

// servers returns the processes of the servers that were not reaped yet.
func (h *harness) servers() []int {
	var alive []int
	files, _ := os.ReadDir(h.pids) // there from the beginning
	for _, file := range files {
		pid, err := strconv.Atoi(file.Name())
		if err == nil && exists(pid) {
			alive = append(alive, pid)
		}
	}
	return alive
}
