package report_test

import (
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/observe/report"
	"mcp-workbench/adapters/observe/status"
	"mcp-workbench/adapters/system/usersocket"
	"mcp-workbench/adapters/terminal"
)

var _ = Describe("The view of workbenches", func() {
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	since, memory, p50, p95 := now.Add(-2*time.Hour), int64(45<<20), 12.4, 80.2
	git := status.Server{
		Toolbox: "code", Name: "git", State: "running", PID: 4321, Since: &since, Memory: &memory, Calls: 120, Errors: 3, P50: &p50, P95: &p95, Restarts: 1,
		LastError: &status.Failure{Time: now.Add(-5 * time.Minute), Kind: "call", Tool: "commit", Outcome: "error", Code: -32602},
	}
	answer := func(hosts ...status.Host) status.Answer {
		return status.Answer{PID: 4312, Snapshot: &status.Snapshot{PID: 4312, Version: "1.4.0", Started: since, Configuration: "/home/ann/c.json", Hosts: hosts}}
	}
	host := status.Host{Name: "claude-code", Version: "2.1", Transport: "stdio", Connected: since, Toolboxes: []string{"code"}, Servers: []status.Server{
		git, {Toolbox: "code", Name: "web", State: "failed", Shared: true, LastError: &status.Failure{Time: now, Kind: "end", Outcome: "error"}},
	}}

	It("has a table if there is room", func() {
		Expect(report.View([]status.Answer{answer(host)}, now, 80)).To(Equal(strings.TrimPrefix(`
Workbench 4312, up 2h, version 1.4.0
  /home/ann/c.json
  claude-code 2.1, 2h
  open: code
    SERVER    STATE    PID   UP  MEMORY  CALLS  ERRORS  P50/P95
    code/git  running  4321  2h  45 MiB  120    3       12/80 ms
      restarted 1 time
      last error 5m ago: commit, error (code -32602)
    code/web  failed   -     -   -       0      0       -
      one session for all hosts
      last error 0s ago: it died`, "\n")))
	})

	It("fits 40 columns", func() {
		shown := report.View([]status.Answer{answer(host)}, now, 40)
		Expect(shown).To(ContainSubstring("  code/git running 2h\n    120 calls, 3 errors\n    12/80 ms (p50/p95)\n    pid 4321, 45 MiB\n"))
	})

	It("shows the identity of a host over HTTP, why a workbench did not answer, and what is left out", func() {
		remote := status.Host{Transport: "http", Identity: "alice", Connected: now}
		served := answer(remote)
		served.Snapshot.Background = true
		served.Snapshot.Address, served.Snapshot.MoreHosts, served.Snapshot.MoreServers = "http://127.0.0.1:7345/mcp", 2, 1
		shown := report.View([]status.Answer{served, {PID: 77, Problem: "it hangs"}}, now, 80)
		Expect(shown).To(And(
			HavePrefix("Workbench 4312, up 2h, version 1.4.0, in the background\n"),
			ContainSubstring("  http://127.0.0.1:7345/mcp\n  a host that did not say its name over HTTP as alice, 0s\n  no toolbox is open\n"),
			ContainSubstring("… and 2 more hosts\n  … and 1 more server\n"), HaveSuffix("\nWorkbench 77: it hangs"),
		))
	})

	It("shows the session of a shell, and what calls it", func() {
		shell := status.Host{Name: "shell", Transport: "shell", Session: "a", Caller: "node agent.js", Connected: now}
		Expect(report.View([]status.Answer{answer(shell)}, now, 80)).To(ContainSubstring("  shell 'a', 0s\n  called by: node agent.js"))
	})

	It("escapes control characters", func() {
		evil := "x\x1b[2J\n\u202e"
		bad := status.Host{Name: evil, Version: evil, Identity: evil, Session: evil, Toolboxes: []string{evil}, Servers: []status.Server{{
			Toolbox: evil, Name: evil, State: "running", LastError: &status.Failure{Kind: "call", Tool: evil, Outcome: "error"},
		}}}
		for _, columns := range []int{40, 80} {
			shown := report.View([]status.Answer{answer(bad), {Problem: evil}}, now, columns)
			Expect(shown).NotTo(ContainSubstring("\x1b"))
			Expect(shown).NotTo(ContainSubstring("\u202e"))
			for line := range strings.Lines(shown) {
				Expect(terminal.Cells(line)).To(BeNumerically("<", 200))
			}
		}
	})
})

var _ = Describe("The workbench of a server", func() {
	workbench := func(pid int, names ...string) status.Answer {
		host := status.Host{Name: "cursor"}
		for _, name := range names {
			toolbox, server, _ := strings.Cut(name, "/")
			host.Servers = append(host.Servers, status.Server{Toolbox: toolbox, Name: server})
		}
		return status.Answer{PID: pid, Snapshot: &status.Snapshot{PID: pid, Hosts: []status.Host{host}}}
	}
	both := []status.Answer{workbench(1, "dev/git", "dev/web"), workbench(2, "dev/git")}

	It("is the one that has the server, or the one with the given process id", func() {
		pid, id, err := report.Find(both, "dev/web", 0)
		Expect(err).NotTo(HaveOccurred())
		Expect(pid).To(Equal(1))
		Expect(string(id.Server)).To(Equal("web"))
		pid, _, err = report.Find(both, "dev/git", 2)
		Expect(err).NotTo(HaveOccurred())
		Expect(pid).To(Equal(2))
	})

	It("is not found if no workbench runs or none can be asked", func() {
		_, _, err := report.Find(nil, "dev/git", 0)
		problem := "no workbench is running"
		if unsupported := usersocket.Supported(); unsupported != nil {
			problem = unsupported.Error()
		}
		Expect(err).To(MatchError(ContainSubstring(problem)))
	})

	DescribeTable("is not found", func(answers []status.Answer, name string, pid int, problem string) {
		_, _, err := report.Find(answers, name, pid)
		Expect(err).To(MatchError(ContainSubstring(problem)))
	},
		Entry("if several have it", both, "dev/git", 0, "choose one with --pid: 1 (cursor), 2 (cursor)"),
		Entry("by a wrong process id", both, "dev/git", 9, "no workbench has the process number 9"),
		Entry("for a server that was not started", both, "dev/gti", 0, "did you mean 'git'?"),
		Entry("for a toolbox", both, "dev", 0, "name one as TOOLBOX/SERVER"),
		Entry("if no server runs", []status.Answer{workbench(1)}, "dev/git", 0, "no workbench has started a server yet"),
		Entry("if the only workbench hangs", []status.Answer{{PID: 3, Problem: "it hangs"}}, "dev/git", 0, "workbench 3: it hangs"),
	)
})
