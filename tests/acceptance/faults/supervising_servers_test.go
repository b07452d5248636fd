package faults_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

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

	It("starts a server that keeps dying at most six times in ten seconds, and says at once why not", Label("L08"), func() {
		server := Scripted("mortal", mortal())
		w := Serve(InDev(server))
		w.Open("dev")

		var last string
		for range 50 {
			last = w.Use("dev", "mortal", "die", "{}").Failure()
		}

		Expect(server.Starts()).To(BeNumerically("<=", 6))
		Expect(last).To(MatchRegexp(`the server ended with exit code 3; the end of its stderr: out of luck; ` +
			`it failed \d times in a row; the next try is in \d+s$`))
	})

	It("starts a server that ends after its handshake at most six times in ten seconds, and says at once why not", Label("L08"), func() {
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

	It("stops an unused server, and starts it again at its next use", func() {
		server := Scripted("idler", mortal(), `"idleTimeout": 0.05`)
		w := Serve(InDev(server))
		w.Open("dev")
		Eventually(w.Servers).WithTimeout(Patience).Should(BeEmpty())

		Expect(w.Use("dev", "idler", "read", "{}").Text()).To(Equal("done"))

		Expect(server.Starts()).To(Equal(2))
		Expect(w.Open("dev").Warnings).To(BeEmpty())
		Expect(reports(w)).To(BeEmpty())
	})

	It("counts requests that a server may have under way, and refuses more at once", Label("C03"), func() {
		gate := filepath.Join(GinkgoT().TempDir(), "gate")
		s := WithTools("wait")
		s.Rules = []script.Rule{{Method: "tools/call", Background: true, Do: []script.Step{
			{AwaitFile: gate}, {Result: script.Text("waited")},
		}}}
		server := Scripted("slow", s, `"limits": {"inFlight": 2}`)
		w := Serve(InDev(server))
		w.Open("dev")
		first, second := w.BeginUse("dev", "slow", "wait", "{}"), w.BeginUse("dev", "slow", "wait", "{}")
		server.AwaitCallsOf("wait", 2)

		Expect(w.Use("dev", "slow", "wait", "{}").Failure()).To(Equal("Error executing tool 'wait' in server 'slow' (toolbox 'dev'): " +
			"2 requests to the server are in flight, and no more are accepted (limits.inFlight raises it)"))

		Expect(os.WriteFile(gate, nil, 0o600)).To(Succeed())
		Expect(w.Await(first).Text()).To(Equal("waited"))
		Expect(w.Await(second).Text()).To(Equal("waited"))
	})

	DescribeTable("logs what passes through calls only when it is asked to, and no secret then",
		func(setting string, logged bool) {
			s := WithTools("read")
			s.Rules = []script.Rule{script.Answer("read", script.Text("the end of the diary"))}
			server := Scripted("files", s, `"env": {"TOKEN": "s3cr3t-token"}`)
			config := strings.Replace(Configuration(InDev(server)), "{", "{"+setting, 1)
			w := Start(Launch{Config: config, Args: []string{"--log-level", "debug"}})
			w.Initialize()
			w.Open("dev")
			w.Use("dev", "files", "read", `{"token":"s3cr3t-token"}`)
			Expect(w.End()).To(Equal(0))

			Expect(strings.Contains(w.Stderr(), "the end of the diary")).To(Equal(logged))
			Expect(strings.Contains(w.Stderr(), "arguments=")).To(Equal(logged))
			Expect(w.Stderr()).NotTo(ContainSubstring("s3cr3t"))
		},
		Entry("never by itself", ``, false),
		Entry("with logPayloads", `"logPayloads": true,`, true),
	)
})
