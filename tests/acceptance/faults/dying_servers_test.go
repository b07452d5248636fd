package faults_test

import (
	"encoding/json"
	"runtime"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Using a server that dies", func() {
	// mortal returns a server with a tool that lets it die, a tool that it never
	// answers, and a good one.
	mortal := func(death ...script.Step) script.Script {
		s := WithTools("hang", "die", "read")
		s.Rules = []script.Rule{
			{Method: "tools/call", Tool: "hang", Do: []script.Step{{Stderr: "working"}}},
			{Method: "tools/call", Tool: "die", Do: death},
			script.Answer("read", script.Text("${pid}")),
		}
		return s
	}

	DescribeTable("fails the calls under way, and says how it ended and what it wrote last", Label("L06", "L07"), func(reason string, death ...script.Step) {
		if runtime.GOOS == "windows" {
			Skip("Windows has no signals")
		}
		server := Scripted("files", mortal(death...))
		w := Serve(InDev(server))
		w.Open("dev")

		var ids []string
		for range 5 {
			ids = append(ids, w.BeginUse("dev", "files", "hang", "{}"))
		}
		server.AwaitCallsOf("hang", 5)
		last := w.BeginUse("dev", "files", "die", "{}")

		failure := func(tool string) string {
			return "Error executing tool '" + tool + "' in server 'files' (toolbox 'dev'): " + reason
		}
		for _, id := range ids {
			Expect(w.Await(id).Failure()).To(Equal(failure("hang")))
		}
		Expect(w.Await(last).Failure()).To(Equal(failure("die")))

		// The next use starts it again, and no call is sent to it twice.
		Expect(w.Use("dev", "files", "read", "{}").Text()).To(MatchRegexp(`^\d+$`))
		Expect(server.Starts()).To(Equal(2))
		Expect(server.ReceivedWith("tools/call")).To(HaveLen(7))
		Eventually(w.Servers).WithTimeout(Patience).Should(HaveLen(1))
	},
		Entry("an exit", "the server ended with exit code 3; the end of its stderr: working | working | working | working | disk full",
			script.Step{Stderr: "disk full"}, script.Step{Exit: 3}),
		Entry("an exit without a fault", "the server exited; the end of its stderr: working | working | working | working | working",
			script.Step{Exit: script.ExitZero}),
		Entry("a signal", "the server ended by signal 9 (killed); the end of its stderr: working | working | working | working | working",
			script.Step{Kill: 9}),
		Entry("an end of its output", "the server closed its output",
			script.Step{CloseOutput: true}),
	)
})

var _ = Describe("Supervising servers", func() {
	// mortal returns a server whose tool "die" ends it.
	mortal := func() script.Script {
		s := WithTools("die", "read")
		s.Rules = []script.Rule{
			{Method: "tools/call", Tool: "die", Do: []script.Step{{Stderr: "out of luck"}, {Exit: 3}}},
			script.Answer("read", script.Text("done")),
		}
		return s
	}
	// reports returns the data of the log messages that the host got.
	reports := func(w *Workbench) []string {
		var texts []string
		for _, m := range w.Received() {
			if m.Method == "notifications/message" {
				var params struct{ Level, Logger, Data string }
				Expect(json.Unmarshal(m.Params, &params)).To(Succeed())
				texts = append(texts, params.Level+" "+params.Logger+": "+params.Data)
			}
		}
		return texts
	}

	It("tells the host that a server was restarted, by a log message and when the toolbox is opened again", Label("L07"), func() {
		w := Serve(InDev(Scripted("mortal", mortal())))
		w.Open("dev")
		w.Use("dev", "mortal", "die", "{}").Failure()

		Expect(w.Use("dev", "mortal", "read", "{}").Text()).To(Equal("done"))

		Eventually(reports).WithArguments(w).WithTimeout(Patience).Should(Equal([]string{
			"warning dev/mortal: Server 'mortal' of toolbox 'dev' was restarted, and what it had in memory is gone: " +
				"the server ended with exit code 3; the end of its stderr: out of luck",
		}))
		Expect(w.Open("dev").Warnings).To(Equal([]string{
			"Server 'mortal': it was restarted, and what it had in memory is gone " +
				"(the server ended with exit code 3; the end of its stderr: out of luck)",
		}))
		Expect(w.Open("dev").Warnings).To(BeEmpty())
	})

	It("starts a server that ends after its handshake at most six times in ten seconds, and says at once why not", Label("L07"), func() {
		s := WithTools("read")
		s.Rules = append([]script.Rule{{Method: "tools/list", Do: []script.Step{{List: true}, {Stderr: "no licence"}, {Exit: 3}}}}, s.Rules...)
		server := Scripted("brief", s)
		w := Serve(InDev(server, Scripted("good", WithTools("read"))))
		w.Open("dev")

		var last string
		for range 50 {
			last = w.Use("dev", "brief", "read", "{}").Failure()
		}

		Expect(server.Starts()).To(BeNumerically("<=", 6))
		Expect(last).To(MatchRegexp(`the server ended with exit code 3; the end of its stderr: no licence; ` +
			`it failed \d times in a row; the next try is in \d+s$`))
	})
})
