package using_test

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var levels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// logScript returns a server with a tool that logs at every level before it
// answers, with members that must reach the host unchanged.
func logScript(settled ...script.Rule) script.Script {
	s := WithTools("log")
	s.Capabilities = `{"tools":{},"logging":{}}`
	var steps []script.Step
	for _, level := range levels {
		steps = append(steps, script.Step{Line: `{"jsonrpc":"2.0","method":"notifications/message","params":` +
			`{"level":"` + level + `","logger":"db","data":{"n":9007199254740993},"_meta":{"x":1}}}`})
	}
	s.Rules = append(settled, script.Rule{Method: "tools/call", Do: append(steps, script.Step{Result: script.Text("done")})},
		script.Rule{Method: "logging/setLevel", Do: []script.Step{{Result: `{}`}}})
	return s
}

// loggedLevels returns the levels of the log messages that a host got.
func loggedLevels(host Host) []string {
	GinkgoHelper()
	var got []string
	for _, m := range host.Sent("notifications/message") {
		var level string
		Expect(fmt.Sscanf(m.Member("level"), "%q", &level)).Error().NotTo(HaveOccurred())
		got = append(got, level)
	}
	return got
}

var _ = Describe("Receiving log messages of servers", func() {
	for _, ofServer := range Eras {
		Context("from a server of "+ofServer.Name, func() {
			It("names the server and changes nothing else", func() {
				host := Older.Connect(`{}`, ofServer.Server(logScript()))

				host.Use("dev", "files", "log", "{}")

				Expect(loggedLevels(host)).To(Equal(levels))
				Expect(string(host.AwaitSent("notifications/message", 1).Params)).To(MatchJSON(
					`{"level":"debug","logger":"dev/files/db","data":{"n":9007199254740993},"_meta":{"x":1}}`))
				Expect(host.Sent("notifications/message")[0].Line).To(ContainSubstring("9007199254740993"))
			})

			It("gives a host with a handshake the level that it asked for", func() {
				server := ofServer.Server(logScript())
				host := Older.Connect(`{}`, server)

				Expect(string(host.Request("logging/setLevel", `{"level":"error"}`).Result)).To(Equal("{}"))
				host.Use("dev", "files", "log", "{}")
				Expect(loggedLevels(host)).To(Equal([]string{"error", "critical", "alert", "emergency"}))

				host.Request("logging/setLevel", `{"level":"debug"}`)
				host.Use("dev", "files", "log", "{}")
				Expect(loggedLevels(host)).To(HaveLen(4 + 8))
			})

			It("gives a host of 2026-07-28 the level that the call asks for, and nothing unrequested", func() {
				host := Modern.Connect(`{}`, ofServer.Server(logScript()))

				host.Use("dev", "files", "log", "{}")
				Expect(loggedLevels(host)).To(BeEmpty())

				host.Use("dev", "files", "log", "{}", `"io.modelcontextprotocol/logLevel":"critical"`)
				Expect(loggedLevels(host)).To(Equal([]string{"critical", "alert", "emergency"}))
			})
		})
	}

	It("writes them to standard error at debug, without secrets", func() {
		s := WithTools("log")
		s.Rules = []script.Rule{{Method: "tools/call", Do: []script.Step{
			{Line: `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"token hunter2hunter2"}}`},
			{Result: script.Text("done")},
		}}}
		server := Older.Server(s, `"env":{"TOKEN":"hunter2hunter2"}`)
		w := Start(Launch{
			Config: Configuration(InDev(server)), Args: []string{"--log-level", "debug"},
		})
		host := Connect(w, false, `{}`)
		host.Open("dev")

		host.Use("dev", "files", "log", "{}")

		Expect(host.End()).To(Equal(0))
		Expect(w.Stderr()).To(ContainSubstring("the server logged"))
		Expect(w.Stderr()).NotTo(ContainSubstring("hunter2"))
	})
})

// reportingServer returns a server with a tool that reports progress that many times before its result.
func reportingServer(times int) script.Script {
	s := WithTools("work")
	s.Rules = []script.Rule{{Method: "tools/call", Do: []script.Step{
		{Line: ProgressNotification, Times: times},
		{Result: script.Text("done")},
		{Line: ProgressNotification}, // too late
	}}}
	return s
}

var _ = Describe("Following the progress of a call", func() {
	BetweenEras(func(ofHost, ofServer Era) {
		DescribeTable("returns the host's own token", func(token string) {
			server := ofServer.Server(reportingServer(2))
			host := ofHost.Connect(`{}`, server)

			id := host.BeginUse("dev", "files", "work", "{}", `"progressToken":`+token)
			host.Await(id)

			notifications := host.Sent("notifications/progress")
			Expect(notifications).To(HaveLen(2))
			Expect(notifications[0].Member("progressToken")).To(Equal(token))
			Expect(string(notifications[1].Params)).To(Equal(`{"progressToken":` + token + `,"progress":2,"message":"at 2"}`))
		},
			Entry("as a text", `"token"`),
			Entry("as a number", `7`),
			Entry("as a number beyond 2^53", `9007199254740993`),
			Entry("as a text that looks like a token of the workbench", `"1"`),
		)
	})
})
