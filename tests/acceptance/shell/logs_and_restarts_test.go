package shell_test

import (
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A server of a running workbench", func() {
	var variable, sockets string
	BeforeEach(func() { variable, sockets = runtimeFolder() })
	ask := func(args ...string) Outcome {
		GinkgoHelper()
		return Run(Launch{Args: args, Env: []string{variable}})
	}
	talking := func() script.Script {
		s := WithTools("read", "wait")
		s.Start = []script.Step{{Stderr: "the password is hunter2hunter2 \x1b[2J"}}
		s.Rules = []script.Rule{
			script.Answer("read", script.Text("done")), {Method: "tools/call", Tool: "wait", Background: true, Do: []script.Step{{Line: ProgressNotification}, {Hang: true}}},
		}
		return s
	}
	serve := func(servers ...Server) *Workbench {
		GinkgoHelper()
		w := Start(Launch{Config: Configuration(InDev(servers...)), Env: []string{variable, "PASSWORD=hunter2hunter2"}})
		w.Initialize()
		return w
	}

	It("has the end of its standard error shown, without secrets and with escapes, even after it failed", func() {
		w := serve(
			Scripted("files", talking(), `"env": {"P": "${PASSWORD}"}`),
			Scripted("broken", script.Script{Start: []script.Step{{Stderr: "no licence"}, {Exit: 3}}}),
		)
		w.Open("dev")
		awaitListening(sockets, 1)

		outcome := ask("logs", "dev/files")
		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(outcome.Stdout).To(HavePrefix("the password is "))
		Expect(outcome.Stdout).NotTo(ContainSubstring("hunter2"))
		Expect(outcome.Stdout).NotTo(ContainSubstring("\x1b"))
		Expect(ask("logs", "dev/broken").Stdout).To(Equal("no licence\n"))
	})

	It("has new lines shown with --follow, until the workbench ends", func() {
		NeedsTerminal()
		w := serve(Scripted("files", talking()))
		w.Open("dev")
		awaitListening(sockets, 1)

		terminal := OnTerminal(Launch{Args: []string{"logs", "dev/files", "--follow"}, Env: []string{variable}}, 100, nil)
		terminal.AwaitShown("the password is")
		Expect(ask("restart", "dev/files").Code).To(Equal(0))
		terminal.AwaitShown("the password is") // of the new process
		w.CloseInput()
		Expect(terminal.End()).To(Equal(0))
	})

	It("can be restarted: the host is told, and calls under way fail", func() {
		server := Scripted("files", talking())
		w := serve(server)
		w.Open("dev")
		id := Host{Workbench: w}.BeginUse("dev", "files", "wait", "{}", `"progressToken":"p"`)
		w.AwaitSent("notifications/progress", 1)
		awaitListening(sockets, 1)
		before := shownBy(variable)[0].Snapshot.Hosts[0].Servers[0]

		outcome := ask("restart", "dev/files")

		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(outcome.Stderr).To(Equal("mcp-workbench: restarted dev/files for 1 host\n"))
		Expect(w.Await(id).Failure()).To(ContainSubstring("the user restarted it"))
		Expect(string(w.AwaitSent("notifications/message", 1).Params)).To(ContainSubstring("the user restarted it"))
		Expect(server.Starts()).To(Equal(2))
		after := shownBy(variable)[0].Snapshot.Hosts[0].Servers[0]
		Expect(after.State).To(Equal("running"))
		Expect(after.PID).NotTo(Equal(before.PID))
		Expect(after.Restarts).To(Equal(1))
		Expect(w.Use("dev", "files", "read", "{}").Text()).To(Equal("done"))
		Expect(server.Starts()).To(Equal(2))
	})

	DescribeTable("is restarted for every host over HTTP", func(processes int, settings ...string) {
		SkipOverHTTP("it listens itself")
		server := Older.Server(talking(), settings...)
		w := Listen(Launch{Config: Configuration(InDev(server)), Env: []string{variable}})
		one, other := Connect(w, false, "{}"), Connect(w.AnotherHost(), false, "{}")
		one.Open("dev")
		other.Open("dev")
		Expect(server.Starts()).To(Equal(processes))
		awaitListening(sockets, 1)

		outcome := ask("restart", "dev/files")

		Expect(outcome.Stderr).To(Equal("mcp-workbench: restarted dev/files for 2 hosts\n"))
		Expect(server.Starts()).To(Equal(2 * processes))
		Expect(one.Use("dev", "files", "read", "{}").Text()).To(Equal("done"))
		Expect(other.Use("dev", "files", "read", "{}").Text()).To(Equal("done"))
		Expect(server.Starts()).To(Equal(2 * processes))
	},
		Entry("once if they share it", 1, Shared),
		Entry("in each process if they do not", 2),
	)

	It("has the reason shown why it did not start again", func() {
		w := serve(Program("gone", "/no/such/program"), Scripted("files", talking()))
		w.Open("dev")
		awaitListening(sockets, 1)

		outcome := ask("restart", "dev/gone")
		Expect(outcome.Code).To(Equal(1))
		Expect(outcome.Stderr).To(ContainSubstring("/no/such/program"))
		Expect(filepath.Glob(filepath.Join(sockets, "*.sock"))).To(HaveLen(1))
	})
})
