package faults_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Cancelling a call", func() {
	var server Server
	var w *Workbench

	BeforeEach(func() {
		s := WithTools("hang", "read")
		s.Rules = []script.Rule{
			{Method: "tools/call", Tool: "hang", Background: true, Do: []script.Step{
				{Await: "notifications/cancelled"}, {Result: script.Text("too late")},
			}},
			script.Answer("read", script.Text("done")),
		}
		server = Scripted("files", s)
		w = Serve(InDev(server))
		w.Open("dev")
	})
	cancel := func(id string) {
		w.Notify("notifications/cancelled", `{"requestId":`+id+`,"reason":"changed my mind"}`)
	}
	// hang begins a call that its server does not answer.
	hang := func() string {
		GinkgoHelper()
		id := w.BeginUse("dev", "files", "hang", "{}")
		server.AwaitCallsOf("hang", 1)
		return id
	}

	It("tells the server its own id, once, and the host nothing more", Label("S13"), func() {
		id := hang()

		cancel(id)
		cancel(id)

		Eventually(func() []string { return server.ReceivedWith("notifications/cancelled") }).
			WithTimeout(Patience).ShouldNot(BeEmpty())
		Expect(w.Use("dev", "files", "read", "{}").Text()).To(Equal("done"))
		Expect(server.CancelledID()).To(Equal(server.CalledID()))
		Expect(server.CancelledID()).NotTo(Equal(id))
		Expect(w.End()).To(Equal(0))
		Expect(w.Answers(id)).To(BeEmpty())
	})
})
