package faults_test

import (
	"encoding/json"

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
})
