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
		{Because: "nothing to start", Settings: `{}`, Keys: [][]string{{"command"}}},
		{Because: "an empty command", Settings: `{"command":""}`, Keys: [][]string{{"command"}}},
		{Because: "no object", Settings: `["x"]`, Keys: [][]string{nil}},
		{
			Because:  "values of other kinds, and one that is right",
			Settings: `{"command":7,"args":["a",1,null],"env":{"A":"a","B":2,"C":{}},"cwd":false,"inheritEnv":"some"}`,
			Keys:     [][]string{{"command"}, {"args", "1"}, {"args", "2"}, {"env", "B"}, {"env", "C"}, {"cwd"}, {"inheritEnv"}},
		},
		{
			Because:  "null in place of values",
			Settings: `{"command":null,"args":null,"env":null,"cwd":null,"inheritEnv":null}`,
			Keys:     [][]string{{"command"}, {"args"}, {"env"}, {"cwd"}, {"inheritEnv"}},
		},
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
