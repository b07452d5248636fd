package shell_test

import (
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// runtimeFolder returns the variable with a runtime folder for the workbenches of one spec, and the folder
// with their sockets.
func runtimeFolder() (variable, sockets string) {
	GinkgoHelper()
	folder, err := os.MkdirTemp("", "rt") // the path of a socket is short
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(os.RemoveAll, folder)
	probe, err := net.Listen("unix", filepath.Join(folder, "probe"))
	if err != nil { // Wine has none
		Skip("no Unix sockets here: " + err.Error())
	}
	Expect(probe.Close()).To(Succeed())
	return "XDG_RUNTIME_DIR=" + folder, filepath.Join(folder, "mcp-workbench")
}

// shownServer, shownHost and shownWorkbench are parts of the output of status --json.
type (
	shownServer struct {
		Toolbox, Name, State                 string
		Shared                               bool
		PID, Restarts, Calls, Errors, Memory int
		P50, P95                             float64
		LastError                            struct{ Kind, Tool, Outcome string }
	}
	shownHost struct {
		Name, Version, Transport, Identity string
		Toolboxes                          []string
		Servers                            []shownServer
	}
	shownWorkbench struct {
		PID      int
		Problem  string
		Snapshot struct {
			PID                             int
			Version, Configuration, Address string
			Hosts                           []shownHost
		}
	}
)

// shownBy returns what status --json prints in a runtime folder.
func shownBy(variable string) []shownWorkbench {
	GinkgoHelper()
	outcome := Run(Launch{Args: []string{"status", "--json"}, Env: []string{variable}})
	Expect(outcome.Code).To(Equal(0), outcome.Stderr)
	var shown struct{ Workbenches []shownWorkbench }
	Expect(json.Unmarshal([]byte(outcome.Stdout), &shown)).To(Succeed(), outcome.Stdout)
	return shown.Workbenches
}

// awaitListening waits until that many workbenches listen.
func awaitListening(sockets string, count int) {
	GinkgoHelper()
	Eventually(func() []string {
		paths, _ := filepath.Glob(filepath.Join(sockets, "*.sock"))
		return paths
	}).WithTimeout(Patience).Should(HaveLen(count))
}

var _ = Describe("The status of workbenches", func() {
	failing := WithTools("read", "break")
	failing.Rules = []script.Rule{
		script.Answer("read", script.Text("done")),
		script.Answer("break", `{"content":[],"isError":true}`),
	}
	var variable, sockets string
	BeforeEach(func() { variable, sockets = runtimeFolder() })
	launch := func(servers ...Server) Launch {
		return Launch{Config: Configuration(InDev(servers...)), Env: []string{variable}}
	}
	ask := func(args ...string) Outcome {
		GinkgoHelper()
		return Run(Launch{Args: args, Env: []string{variable}})
	}

	It("tells list how servers are, which starts none", func() {
		SkipOverHTTP("the configuration is that of the user")
		home := NewHomeFolder()
		kept, broken := Scripted("kept", WithTools("read")), Scripted("broken", script.Script{Start: []script.Step{{Exit: 3}}})
		home.File(OwnConfiguration, Configuration(
			InDev(Scripted("up", WithTools("read")), broken), NewToolbox("other", kept, Program("unset", "x", `"env":{"A":"${NO_SUCH}"}`)),
		))
		launch := func(args ...string) Launch {
			l := home.Launch(args...)
			l.Env = append(l.Env, variable)
			return l
		}
		states := func() []string {
			GinkgoHelper()
			var listed struct {
				Toolboxes []struct {
					Servers []struct{ Name, State string }
				}
			}
			Expect(json.Unmarshal([]byte(Run(launch("list", "--json")).Stdout), &listed)).To(Succeed())
			var states []string
			for _, toolbox := range listed.Toolboxes {
				for _, server := range toolbox.Servers {
					states = append(states, server.Name+": "+server.State)
				}
			}
			return states
		}
		Expect(states()).To(Equal([]string{"up: never listed", "broken: never listed", "kept: never listed", "unset: needs NO_SUCH"}))

		Expect(Run(launch("list", "kept")).Code).To(Equal(0))
		host := Connect(Start(launch()), false, "{}")
		host.Open("dev")
		awaitListening(sockets, 1)
		Expect(states()).To(HaveExactElements(
			"up: running", And(HavePrefix("broken: failed"), HaveSuffix("see 'mcp-workbench logs dev/broken'")), "kept: 1 tool", "unset: needs NO_SUCH",
		))
		Expect(kept.Starts()).To(Equal(1))
	})

	It("includes all workbenches of the user, with hosts of both eras, their servers and calls", func() {
		SkipOverHTTP("the hosts of two processes are told apart")
		older, modern := Connect(Start(launch(Scripted("files", failing))), false, "{}"), Connect(Start(launch(Scripted("files", failing))), true, "{}")
		for _, host := range []Host{older, modern} {
			host.Open("dev")
			host.Use("dev", "files", "read", "{}")
			host.Use("dev", "files", "break", "{}")
		}
		older.Use("dev", "files", "read", "{}")
		awaitListening(sockets, 2)

		shown := shownBy(variable)
		Expect(shown).To(HaveLen(2))
		Expect([]int{shown[0].PID, shown[1].PID}).To(ConsistOf(older.PID(), modern.PID()))
		for _, workbench := range shown {
			calls := 2
			if workbench.PID == older.PID() {
				calls = 3
			}
			Expect(workbench.Snapshot.Configuration).To(HaveSuffix("workbench-config.json"))
			Expect(workbench.Snapshot.Hosts).To(HaveLen(1))
			host := workbench.Snapshot.Hosts[0]
			Expect(host.Name).NotTo(BeEmpty())
			Expect(host.Toolboxes).To(Equal([]string{"dev"}))
			Expect(host.Servers).To(HaveLen(1))
			Expect(host.Servers[0]).To(And(
				HaveField("State", "running"), HaveField("Calls", calls), HaveField("Errors", 1), HaveField("Restarts", 0),
				HaveField("P50", BeNumerically(">", 0)), HaveField("P95", BeNumerically(">", 0)), HaveField("PID", BeNumerically(">", 1)),
			))
			Expect(host.Servers[0].LastError).To(And(HaveField("Tool", "break"), HaveField("Outcome", "tool_error")))
			if runtime.GOOS == "linux" {
				Expect(host.Servers[0].Memory).To(BeNumerically(">", 1<<20))
			}
		}
		rows := ask("status")
		Expect(strings.Split(rows.Stdout, "\n")).To(HaveLen(3))
		Expect(rows.Stdout).To(MatchRegexp(`(?m)^\d+\t[^\t]+\tdev/files\trunning\t\d+\t[^\t]+\t0\t\d*\t[23]\t1\t[\d.]+\t[\d.]+$`))
	})

	It("leaves out one that ended or was killed, and removes its socket", func() {
		ended, signalled, killed := Start(launch()), Start(launch()), Start(launch())
		for _, w := range []*Workbench{ended, signalled, killed} {
			w.Initialize()
		}
		awaitListening(sockets, 3)

		ended.CloseInput()
		signalled.Signal(syscall.SIGTERM)
		Expect([]int{ended.ExitCode(), signalled.ExitCode()}).To(Equal([]int{0, 0}))
		awaitListening(sockets, 1)
		killed.Signal(syscall.SIGKILL)
		killed.ExitCode()
		awaitListening(sockets, 1)
		left, _ := filepath.Glob(filepath.Join(sockets, "*.sock"))
		before := time.Now().Add(-time.Minute)
		Expect(os.Chtimes(left[0], before, before)).To(Succeed())

		Expect(shownBy(variable)).To(BeEmpty())
		awaitListening(sockets, 0)
		outcome := ask("status")
		Expect(outcome.Code).To(Equal(0))
		Expect(outcome.Stderr).To(ContainSubstring("no workbench is running"))
	})

	It("leaves out one whose status is off", func() {
		silent := launch()
		silent.Config = `{"status": false, ` + silent.Config[1:]
		Start(silent).Initialize()
		Start(launch()).Initialize()
		awaitListening(sockets, 1)

		Expect(shownBy(variable)).To(HaveLen(1))
	})

	It("shows control characters as escapes on a terminal, and is refreshed until q", func() {
		NeedsTerminal()
		w := Start(launch(Scripted("files", failing)))
		w.Request("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"evil\u001b[2J","version":"\u202e"}}`)
		w.Open("dev")
		awaitListening(sockets, 1)

		for _, columns := range []int{80, 40} {
			terminal := OnTerminal(Launch{Args: []string{"status", "--watch"}, Env: []string{variable}}, columns, nil)
			terminal.AwaitShown(`evil\u001b[2J`)
			terminal.AwaitShown("dev/files")
			terminal.AwaitShown("q ends this")
			terminal.AwaitShown("dev/files") // again
			terminal.Type("q")
			Expect(terminal.End()).To(Equal(0))
			Expect(terminal.Shown()).NotTo(ContainSubstring("\x1b[2J"))
			for line := range strings.Lines(terminal.Shown()) {
				Expect(len(line)).To(BeNumerically("<", columns+40))
			}
		}
	})

	It("includes each host over HTTP once, with its identity", func() {
		SkipOverHTTP("it listens itself")
		const tokens = `{"tokens": {"one": {"value": "token-of-one-that-is-long", "toolboxes": ["dev"]}, "other": {"value": "token-of-another-that-is-long", "toolboxes": ["dev"]}}}`
		w := Listen(Launch{Config: WithHTTP(tokens, InDev(Scripted("files", failing))), Env: []string{variable}})
		one, other := Connect(w.AnotherHostWith("token-of-one-that-is-long"), false, "{}"), Connect(w.AnotherHostWith("token-of-another-that-is-long"), true, "{}")
		one.Open("dev")
		other.Open("dev")
		one.Use("dev", "files", "read", "{}")
		awaitListening(sockets, 1)

		var hosts []shownHost
		Eventually(func() []shownHost {
			hosts = shownBy(variable)[0].Snapshot.Hosts
			return hosts
		}).WithTimeout(Patience).Should(HaveLen(2))
		slices.SortFunc(hosts, func(a, b shownHost) int { return strings.Compare(a.Identity, b.Identity) })
		Expect(hosts[0]).To(And(HaveField("Transport", "http"), HaveField("Identity", ContainSubstring("one")), HaveField("Servers", HaveExactElements(HaveField("Calls", 1)))))
		Expect(hosts[1]).To(And(HaveField("Identity", ContainSubstring("other")), HaveField("Servers", HaveExactElements(HaveField("Calls", 0)))))
		outcome := ask("status", "--json")
		Expect(outcome.Stdout).NotTo(ContainSubstring("-that-is-long"))
		Expect(shownBy(variable)[0].Snapshot.Address).To(HavePrefix("http://127.0.0.1:"))
	})
})
