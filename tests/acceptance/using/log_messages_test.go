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

	It("names the server even if it names no logger, or sends invalid members", func() {
		s := WithTools("log")
		var steps []script.Step
		for _, params := range []string{`{"level":"info","data":1}`, `{"level":"info","logger":null,"data":2}`, `{"data":3}`} {
			steps = append(steps, script.Step{Line: `{"jsonrpc":"2.0","method":"notifications/message","params":` + params + `}`})
		}
		s.Rules = []script.Rule{{Method: "tools/call", Do: append(steps, script.Step{Result: script.Text("done")})}}
		host := Older.Connect(`{}`, Older.Server(s))

		host.Use("dev", "files", "log", "{}")

		notifications := host.Sent("notifications/message")
		Expect(notifications).To(HaveLen(3))
		for i, m := range notifications {
			Expect(m.Member("logger")).To(Equal(`"dev/files"`))
			Expect(m.Member("data")).To(Equal(fmt.Sprint(i + 1)))
		}
	})

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
