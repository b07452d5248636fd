package soak_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

const (
	// steady and mortal are the numbers of servers that are in order, and of those that crash, hang, restart and change
	// their tools.
	steady, mortal = 2, 4
	// callLimit is the limit on a call of a mortal server, and restartPause the time between two restarts of servers.
	callLimit    = time.Second
	restartPause = 500 * time.Millisecond
	// restTime is the longest time until everything is at rest again: a server that failed often is started after a
	// minute, and a connection is kept for two.
	restTime = 150 * time.Second
	// collectTime is the longest time until memory that is not used is given back: the Go runtime collects garbage of an
	// idle program every two minutes, and gives the pages back later.
	collectTime = 10 * time.Minute
)

// deeds are the tools of a mortal server beside "echo".
var deeds = []string{"exit", "be killed", "fall silent", "hang", "stall", "change"}

// mortals returns a server with these tools.
func mortals() script.Script {
	s := echo()
	for _, deed := range deeds {
		s.Tools = append(s.Tools, script.Tool(deed))
	}
	changed := append([]string{script.Tool("new")}, s.Tools...)
	const changes = `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`
	steps := map[string][]script.Step{
		"exit": {{Stderr: "out of luck"}, {Exit: 3}}, "be killed": {{Kill: 9}}, "fall silent": {{CloseOutput: true}},
		"hang": {{Hang: true}}, "stall": {{SleepMS: int(2 * callLimit.Milliseconds())}, {Result: script.Text("late")}},
		"change": {{SetTools: changed}, {Line: changes}, {SetTools: s.Tools}, {Line: changes}, {Result: script.Text("changed")}},
	}
	for _, deed := range deeds {
		s.Rules = append(s.Rules, script.Rule{Method: "tools/call", Tool: deed, Background: deed == "hang", Do: steps[deed]})
	}
	return s
}

// longRun is the work of hosts for a long time, and what they saw.
type longRun struct {
	place       string // the folder of all files of the workbenches
	connections int    // that clients may keep more at one time than at another
	until       time.Time

	right, failed, done, killed atomic.Int64 // calls of echo that worked and did not, deeds, hosts that were killed
	longest, longestOpening     atomic.Int64 // nanoseconds until an answer
}

func newLongRun() *longRun {
	GinkgoHelper()
	place := spec.Must(os.MkdirTemp("", "soak")) // the path of a socket is short
	DeferCleanup(os.RemoveAll, place)
	return &longRun{place: place}
}

// launch returns the launch of a workbench with the servers of the run. Some raw members are added at the root.
func (r *longRun) launch(members ...string) Launch {
	GinkgoHelper()
	var servers []Server
	for n := range steady {
		servers = append(servers, scripted(fmt.Sprint("steady", n), echo()))
	}
	for n := range mortal {
		servers = append(servers, scripted(fmt.Sprint("mortal", n), mortals(), fmt.Sprintf(`"limits":{"call":%q}`, callLimit)))
	}
	text := Configuration(NewToolbox("dev", servers...))
	for _, member := range members {
		text = WithRoot(text, member)
	}
	path := filepath.Join(r.place, "config.json")
	WriteFile(path, text)
	return Launch{Args: []string{"--config", path}, Env: []string{"HOME=" + r.place, "XDG_RUNTIME_DIR=" + r.place, "TMPDIR=" + r.place}}
}

// work lets callers call until a time is over. Each has its own random numbers.
func (r *longRun) work(length time.Duration, callers int, call func(caller int, chance *rand.Rand)) {
	r.until = time.Now().Add(length)
	seed := uint64(GinkgoRandomSeed())
	together(callers, func(caller int) { call(caller, rand.New(rand.NewPCG(seed, uint64(caller)))) })
}

func (r *longRun) isOver() bool { return time.Now().After(r.until) }

// act makes one call of a host, or causes trouble.
func (r *longRun) act(w *Workbench, chance *rand.Rand) {
	server, payload := fmt.Sprint("steady", chance.IntN(steady)), fmt.Sprintf(`{"n":%d}`, chance.Uint64())
	switch roll := chance.IntN(1000); {
	case roll < 900:
		r.use(w, server, "echo", payload)
	case roll < 990:
		r.use(w, fmt.Sprint("mortal", chance.IntN(mortal)), "echo", payload)
	case roll < 999:
		r.use(w, fmt.Sprint("mortal", chance.IntN(mortal)), deeds[chance.IntN(len(deeds))], "{}")
	default:
		opened := timed(&r.longestOpening, func() (Message, error) { return w.Exchange("open_toolbox", `{"toolbox":"dev"}`) }).Opened()
		Expect(opened.Connected).To(BeNumerically(">=", steady))
		Expect(opened.Connected + len(opened.Errors)).To(Equal(steady + mortal))
	}
}

// timed makes an exchange, which must be answered, and notes what that took if it took longest.
func timed(most *atomic.Int64, exchange func() (Message, error)) Message {
	GinkgoHelper()
	begun := time.Now()
	answer := spec.Must(exchange())
	for took := int64(time.Since(begun)); ; {
		if longest := most.Load(); took <= longest || most.CompareAndSwap(longest, took) {
			return answer
		}
	}
}

// use calls a tool. A steady server gives the right answer; a mortal one that or none, and the failure says whose it is.
func (r *longRun) use(w *Workbench, server, tool, payload string) {
	GinkgoHelper()
	answer := timed(&r.longest, func() (Message, error) { return w.UseExchange("dev", server, tool, payload) })
	isRight := strings.HasPrefix(string(answer.Result), `{"content":[],"heard":`+payload+`,"process":`)
	switch {
	case tool == "echo" && isRight:
		r.right.Add(1)
	case strings.HasPrefix(server, "steady"):
		Fail("a wrong answer of " + server + " to " + payload + ": " + answer.Line)
	case tool != "echo":
		Expect(answer.Result).NotTo(BeNil(), answer.Line)
		r.done.Add(1)
	default:
		Expect(answer.Failure()).To(HavePrefix("Error executing tool 'echo' in server '" + server + "' (toolbox 'dev'): "))
		r.failed.Add(1)
	}
}

// restart restarts mortal servers of a workbench by the command, one after another, until the time is over.
func (r *longRun) restart(l Launch, pid int) {
	next := time.NewTicker(restartPause)
	defer next.Stop()
	for n := 0; !r.isOver(); n++ {
		<-next.C
		args := []string{"restart", fmt.Sprint("dev/mortal", n%mortal), "--pid", strconv.Itoa(pid)}
		outcome := Run(Launch{Args: append(args, l.Args...), Env: l.Env})
		Expect(outcome.Code).To(BeElementOf(0, 1), outcome.Stderr)
	}
}

// holdings are what a process must give back.
type holdings struct{ Descriptors, Processes, Files int }

// heldBy returns what a process holds while its hosts have these processes.
func (r *longRun) heldBy(pid int, processes func() int) func() holdings {
	return func() holdings {
		GinkgoHelper()
		open := spec.Must(os.ReadDir(filepath.Join("/proc", strconv.Itoa(pid), "fd")))
		files := 0
		Expect(filepath.WalkDir(r.place, func(_ string, entry fs.DirEntry, err error) error {
			if err == nil && slices.Contains([]string{"activity", "listings"}, entry.Name()) {
				return fs.SkipDir // they have bounds of their own, below which they grow and shrink
			}
			files++
			return ignoreMissing(err)
		})).To(Succeed())
		return holdings{len(open), processes(), files}
	}
}

// ignoreMissing returns nil for a file that was removed meanwhile.
func ignoreMissing(err error) error {
	if os.IsNotExist(err) {
		return nil
	}
	return err
}

// privateMemory returns the bytes of private memory of a process.
func privateMemory(pid int) int64 {
	GinkgoHelper()
	status := string(spec.Must(os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "status"))))
	_, rest, _ := strings.Cut(status, "RssAnon:")
	return int64(spec.Must(strconv.Atoi(strings.Fields(rest)[0]))) << 10
}

// measure does the work for some seconds and then for SoakTime, and compares what the process holds at rest after both.
// Rested brings everything to rest.
func (r *longRun) measure(pid int, processes func() int, work func(time.Duration), rested func()) {
	GinkgoHelper()
	held := r.heldBy(pid, processes)
	work(warmUp())
	before := settle(func() holdings {
		rested() // a server that was made to hang may only now be restarted
		return held()
	})
	memory := privateMemory(pid)
	begun := time.Now()

	work(SoakTime(3 * time.Second))

	duration := time.Since(begun).Round(time.Second)
	rested()
	Eventually(held).WithTimeout(restTime).WithPolling(time.Second).Should(Satisfy(func(now holdings) bool {
		return now.Descriptors <= before.Descriptors+r.connections && now.Processes <= before.Processes && now.Files <= before.Files
	}), "what is held, of %+v", before)
	now, growth := held(), func() int64 { return privateMemory(pid) - memory }
	defer func() {
		AddReportEntry("figures", fmt.Sprintf(
			"%s: %d right answers, %d failures of servers that fail, %d deeds of theirs, %d hosts killed; longest call %s, longest opening %s; "+
				"descriptors %d and %d, processes %d and %d, files %d and %d; memory %.1f MiB and %+.1f",
			duration, r.right.Load(), r.failed.Load(), r.done.Load(), r.killed.Load(), rounded(&r.longest), rounded(&r.longestOpening),
			before.Descriptors, now.Descriptors, before.Processes, now.Processes, before.Files, now.Files,
			float64(memory)/mib, float64(growth())/mib), ReportEntryVisibilityAlways)
	}()
	Eventually(growth).WithTimeout(collectTime).WithPolling(time.Second).Should(BeNumerically("<", maxGrowth), "bytes that the memory grew by")
}

func rounded(nanoseconds *atomic.Int64) time.Duration {
	return time.Duration(nanoseconds.Load()).Round(time.Millisecond)
}

// warmUp returns how long the work is done before the first measurement.
func warmUp() time.Duration { return max(3*time.Second, SoakTime(0)/20) }

// connected brings all servers of a host up.
func connected(w *Workbench) {
	GinkgoHelper()
	Eventually(func() (int, error) {
		answer, err := w.Exchange("open_toolbox", `{"toolbox":"dev"}`)
		return answer.Opened().Connected, err
	}).WithTimeout(restTime).WithPolling(time.Second).Should(Equal(steady + mortal))
}

// callOneAfterAnother calls until the time is over.
func (r *longRun) callOneAfterAnother(w *Workbench, chance *rand.Rand) {
	for !r.isOver() {
		r.act(w, chance)
	}
}

var _ = Describe("A long run with servers that crash, hang, restart and change their tools", Label("soak", "R01"), func() {
	It("leaves nothing behind in a workbench at pipes with eight callers, beside others whose hosts are killed", func() {
		r := newLongRun()
		l := r.launch()
		begin := func() *Workbench {
			w := Start(l)
			w.Initialize()
			connected(w)
			return w
		}
		work := func(w *Workbench) func(time.Duration) {
			return func(length time.Duration) {
				const callers = 8
				r.work(length, callers+2, func(caller int, chance *rand.Rand) {
					switch caller {
					case callers:
						r.restart(l, w.PID())
					case callers + 1:
						r.dieOneAfterAnother(begin, chance, func(host *Workbench) {
							host.CloseInput()
							host.StopReading()
							host.ExitCode() // any, since its output is gone
						})
					default:
						r.callOneAfterAnother(w, chance)
					}
				})
			}
		}
		other := begin()
		work(other)(warmUp())
		connected(other)
		atRest(other)
		goroutines := other.Goroutines()

		w := begin()
		r.measure(w.PID(), func() int { return len(w.Processes()) }, work(w), func() { connected(w) })

		Expect(w.Goroutines()).To(Equal(goroutines))
	})

	It("leaves nothing behind in a workbench that listens, with eight callers whose requests are cut", func() {
		r := newLongRun()
		r.connections = 4
		l := r.launch()
		begin := func() (*Workbench, Host) {
			w := Listen(l)
			w.Initialize()
			return w, Connect(w.AnotherHost(), true, "{}")
		}
		rested := func(w *Workbench, modern Host) func() {
			return func() {
				connected(w)
				Eventually(func() int { return modern.Open("dev").Connected }).WithTimeout(restTime).WithPolling(time.Second).
					Should(Equal(steady + mortal))
			}
		}
		work := func(w *Workbench, modern Host) func(time.Duration) {
			return func(length time.Duration) {
				const callers = 8
				r.work(length, callers+1, func(caller int, chance *rand.Rand) {
					if caller == callers {
						r.restart(l, w.PID())
						return
					}
					for !r.isOver() {
						r.callAsHost(w.AnotherHost(), modern, chance)
					}
				})
			}
		}
		other, modern := begin()
		rested(other, modern)()
		work(other, modern)(warmUp())
		rested(other, modern)()
		atRest(other)
		goroutines := other.Goroutines()

		w, modern := begin()
		rested(w, modern)()
		r.measure(w.PID(), func() int { return len(w.Processes()) }, work(w, modern), rested(w, modern))

		for begun, count := range w.Goroutines() {
			Expect(count).To(BeNumerically("<=", goroutines[begun]+r.connections), "goroutines of "+begun)
		}
	})

	It("leaves nothing behind in a background workbench with ten windows that are killed", func() {
		r := newLongRun()
		l := r.launch(`"background":{"linger":"10m"}`)
		begin := func() *Workbench {
			w := Start(l)
			w.Initialize()
			connected(w)
			return w
		}
		w := begin()
		DeferCleanup(func() { // before w is judged
			stop := exec.Command(BuiltWorkbench(), "stop")
			stop.Env = l.Env
			_ = stop.Run() // it may have ended
		})
		pid := backgroundProcess(l)
		work := func(length time.Duration) {
			const windows = 10
			r.work(length, windows+1, func(window int, chance *rand.Rand) {
				switch window {
				case 0:
					r.callOneAfterAnother(w, chance)
				case windows:
					r.restart(l, pid)
				default:
					r.dieOneAfterAnother(begin, chance, func(host *Workbench) {
						host.Signal(syscall.SIGKILL)
						host.ExitCode() // of the signal
						Eventually(host.Servers).WithTimeout(Patience).Should(BeEmpty())
					})
				}
			})
		}

		r.measure(pid, func() int { return len(w.Processes()) }, work, func() { connected(w) })

		Expect(backgroundProcess(l)).To(Equal(pid), "the same process as in the beginning")
	})
})

// dieOneAfterAnother begins one host after another, which calls for a while and is killed with a call under way.
func (r *longRun) dieOneAfterAnother(begin func() *Workbench, chance *rand.Rand, kill func(*Workbench)) {
	for !r.isOver() {
		host := begin()
		for n := 100 + chance.IntN(1000); n > 0 && !r.isOver(); n-- {
			r.act(host, chance)
		}
		host.BeginUse("dev", fmt.Sprint("mortal", chance.IntN(mortal)), "hang", "{}")
		kill(host)
		r.killed.Add(1)
	}
}

// callAsHost is a host with a session that calls for a while, while requests of another one of 2026-07-28 are cut.
func (r *longRun) callAsHost(host *Workbench, modern Host, chance *rand.Rand) {
	host.Initialize()
	connected(host)
	for n := 500 + chance.IntN(5000); n > 0 && !r.isOver(); n-- {
		if chance.IntN(500) == 0 {
			id := modern.BeginUse("dev", fmt.Sprint("mortal", chance.IntN(mortal)), "hang", "{}")
			modern.Notify("notifications/cancelled", `{"requestId":`+id+`}`)
			r.killed.Add(1)
			continue
		}
		r.act(host, chance)
	}
	host.CloseInput()
}

// backgroundProcess returns the process of the only background workbench.
func backgroundProcess(l Launch) int {
	GinkgoHelper()
	var shown struct {
		Workbenches []struct{ Snapshot struct{ PID int } }
	}
	outcome := Run(Launch{Args: []string{"status", "--json"}, Env: l.Env})
	Expect(json.Unmarshal([]byte(outcome.Stdout), &shown)).To(Succeed(), outcome.Stdout+outcome.Stderr)
	Expect(shown.Workbenches).To(HaveLen(1))
	return shown.Workbenches[0].Snapshot.PID
}
