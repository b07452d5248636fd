package soak_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

// mortalServer returns an echoing server whose tool "die" ends it.
func mortalServer(death ...script.Step) script.Script {
	s := echo()
	s.Tools = append(s.Tools, script.Tool("die"))
	s.Rules = append(s.Rules, script.Rule{Method: "tools/call", Tool: "die", Do: death})
	return s
}

var _ = Describe("Servers that die often", Label("soak", "R01"), func() {
	It("leave nothing behind in the workbench", func() {
		deaths := []script.Script{
			mortalServer(script.Step{Stderr: "out of luck"}, script.Step{Exit: 3}),
			mortalServer(script.Step{Kill: 9}),
			mortalServer(script.Step{Spawn: "sleep"}, script.Step{Exit: script.ExitZero}),
			mortalServer(script.Step{CloseOutput: true}),
		}
		var servers []Server
		for n := range amount(8, 100) {
			servers = append(servers, scripted(fmt.Sprint("s", n), deaths[n%len(deaths)]))
		}
		// After the fifth death of one server it would not be started for a minute.
		wear{
			servers: servers, warmUp: 1, amount: amount(1, 3),
			work: func(w *Workbench, amount int) {
				together(len(servers), func(worker int) {
					for range amount {
						dieAndRecover(w, servers[worker].Name)
					}
				})
				Eventually(w.Servers).WithTimeout(Patience).Should(HaveLen(len(servers)))
			},
		}.expectNothingLeft()
	})
})

// dieAndRecover lets a server die and uses it until it is started again after a
// pause.
func dieAndRecover(w *Workbench, server string) {
	GinkgoHelper()
	answer := spec.Must(w.UseExchange("dev", server, "die", "{}"))
	Expect(answer.Failure()).To(HavePrefix("Error executing tool 'die' in server '" + server + "' (toolbox 'dev'): the server "))
	Eventually(func() (string, error) {
		answer, err := w.UseExchange("dev", server, "echo", "{}")
		return string(answer.Result), err
	}).WithTimeout(Patience).WithPolling(50 * time.Millisecond).Should(HavePrefix(`{"content":[],"heard":{},`))
}

// use uses the tool of an echoing server and returns its process id.
func use(w *Workbench, server, payload string) int {
	GinkgoHelper()
	answer := spec.Must(w.UseExchange("dev", server, "echo", payload))
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

// scripted returns a server that plays a script and keeps no journal, which would
// grow.
func scripted(name string, s script.Script, settings ...string) Server {
	GinkgoHelper()
	path := filepath.Join(GinkgoT().TempDir(), "script.json")
	Expect(s.Save(path)).To(Succeed())
	settings = append(settings, `"args":["-script",`+Quote(path)+`]`)
	return Program(name, ScriptedServer(), settings...)
}

// echo returns a server whose tool "echo" answers with its arguments and its process
// id.
func echo() script.Script {
	return script.Script{
		Tools: []string{script.Tool("echo")},
		Rules: []script.Rule{script.Answer("echo", `{"content":[],"heard":${arguments},"process":${pid}}`)},
	}
}

// together runs work on that many goroutines and waits for all.
func together(workers int, work func(worker int)) {
	var running sync.WaitGroup
	for worker := range workers {
		running.Go(func() {
			defer GinkgoRecover()
			work(worker)
		})
	}
	running.Wait()
}

var _ = Describe("Making very many calls", Label("soak", "R01"), func() {
	It("leaves nothing behind in the workbench", func() {
		const callers = 64
		names := []string{"a", "b", "c", "d"}
		var servers []Server
		for _, name := range names {
			servers = append(servers, scripted(name, echo()))
		}
		wear{
			servers: servers, warmUp: 5_000, amount: amount(20_000, 1_000_000),
			work: func(w *Workbench, amount int) {
				var calls atomic.Int64
				together(callers, func(int) {
					for n := calls.Add(1); n <= int64(amount); n = calls.Add(1) {
						payload := fmt.Sprintf(`{"n":%d}`, n)
						answer := spec.Must(w.UseExchange("dev", names[n%int64(len(names))], "echo", payload))
						Expect(string(answer.Result)).To(HavePrefix(`{"content":[],"heard":` + payload + `,`))
					}
				})
			},
		}.expectNothingLeft()
	})
})

// maxGrowth is how much the memory of a workbench may grow, however much work it
// did.
const maxGrowth = 10 << 20

// wear is work that must leave nothing behind.
type wear struct {
	servers []Server
	// warmUp and amount are the amounts of work before and after the workbench is first
	// measured.
	warmUp, amount int
	work           func(w *Workbench, amount int)
}

// expectNothingLeft does the work and compares the holdings of the workbench with those
// after the warm-up. Listing goroutines ends a workbench, so these are
// compared with those of another one, which only did the warm-up.
func (t wear) expectNothingLeft() {
	GinkgoHelper()
	goroutines := t.warm().Goroutines()
	w := t.warm()
	before := atRest(w)
	memory := w.Memory()
	begun := time.Now()

	t.work(w, t.amount)

	duration := time.Since(begun).Round(time.Second / 10)
	Eventually(w.Holdings).WithTimeout(Patience).Should(Equal(before))
	growth := w.Memory() - memory
	AddReportEntry("figures", fmt.Sprintf("%d in %s; held before and after: %d descriptors, %d processes; memory: %.1f MiB and %+.1f",
		t.amount, duration, before.Descriptors, before.Processes, float64(memory)/(1<<20), float64(growth)/(1<<20)))
	Expect(growth).To(BeNumerically("<", maxGrowth), "bytes that the memory grew by")
	Expect(w.Goroutines()).To(Equal(goroutines))
}

// warm starts a workbench and warms it up.
func (t wear) warm() *Workbench {
	GinkgoHelper()
	w := Serve(NewToolbox("dev", t.servers...))
	Expect(w.Open("dev").Connected).To(Equal(len(t.servers)))
	t.work(w, t.warmUp)
	atRest(w)
	return w
}

// atRest waits until the holdings of the workbench stay the same, and returns them.
func atRest(w *Workbench) Holdings {
	GinkgoHelper()
	return settle(w.Holdings)
}

// settle reads a value until it stays the same, and returns it.
func settle[T comparable](look func() T) T {
	GinkgoHelper()
	var last T
	same := 0
	Eventually(func() int {
		now := look()
		if same++; now != last {
			same, last = 0, now
		}
		return same
	}).WithTimeout(Patience).WithPolling(20*time.Millisecond).Should(Equal(20), "looks that were the same")
	return last
}
