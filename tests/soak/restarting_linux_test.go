package soak_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// use uses the tool of an echoing server and returns its process id.
func use(w *Workbench, server, payload string) int {
	GinkgoHelper()
	answer, err := w.UseExchange("dev", server, "echo", payload)
	Expect(err).NotTo(HaveOccurred())
	var result struct{ Process int }
	answer.Decode(&result)
	Expect(string(answer.Result)).To(Equal(fmt.Sprintf(`{"content":[],"heard":%s,"process":%d}`, payload, result.Process)))
	return result.Process
}

// isGone reports whether a process has ended and was reaped.
func isGone(pid int) bool {
	_, err := os.Stat(filepath.Join("/proc", strconv.Itoa(pid)))
	return os.IsNotExist(err)
}

var _ = Describe("Restarting servers very often", Label("soak", "R01"), func() {
	// Servers that fail are started again after pauses, by design; those that are
	// stopped when idle are started again at once.
	It("leaves nothing behind in the workbench when they were idle", func() {
		// The launcher is told to end two sevenths of its limit after its input ended.
		const idle, soon = `"idleTimeout":"2ms"`, `"limits":{"shutdown":"140ms"}`
		launcher, failing := echo(), echo()
		launcher.Start = []script.Step{{Spawn: "sleep"}}
		failing.End = []script.Step{{Stderr: "oh no"}, {Exit: 3}}
		servers := []Server{
			scripted("quick", echo(), idle), scripted("quiet", echo(), idle),
			scripted("launcher", launcher, idle, soon), scripted("failing", failing, idle),
		}
		wear{
			servers: servers, warmUp: 40, amount: amount(200, 10_000),
			work: func(w *Workbench, amount int) {
				var calls atomic.Int64
				together(len(servers), func(worker int) {
					for n := calls.Add(1); n <= int64(amount); n = calls.Add(1) {
						pid := use(w, servers[worker].Name, fmt.Sprintf(`{"n":%d}`, n))
						Eventually(isGone).WithArguments(pid).WithTimeout(Patience).WithPolling(time.Millisecond).
							Should(BeTrue(), "whether the process of an idle server ended")
					}
				})
				Eventually(w.Servers).WithTimeout(Patience).Should(BeEmpty())
			},
		}.expectNothingLeft()
	})
})
