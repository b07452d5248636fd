package faults_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// limitedCall is a call that waits until one of its limits.
type limitedCall struct {
	eras   string
	host   Host
	server Server
	id     string
}

// waitingInEveryEra returns calls of a tool, by hosts of every era to servers of every era
// that play the script. They wait at the same time.
func waitingInEveryEra(tool, limits string, s script.Script) (calls []limitedCall) {
	GinkgoHelper()
	for _, ofHost := range Eras {
		for _, ofServer := range Eras {
			server := ofServer.Server(s, `"limits":`+limits)
			host := ofHost.Connect(`{}`, server)
			calls = append(calls, limitedCall{
				eras: "from a server of " + ofServer.Name + " to a host of " + ofHost.Name,
				host: host, server: server, id: host.BeginUse("dev", "files", tool, "{}", `"progressToken":1`),
			})
		}
	}
	return calls
}

// expectCancelled waits until the server was told, once, that its answer is no longer wanted.
func (c limitedCall) expectCancelled() {
	GinkgoHelper()
	Eventually(func() []string { return c.server.ReceivedWith("notifications/cancelled") }).
		WithTimeout(Patience).Should(HaveLen(1), c.eras)
}

var _ = Describe("Waiting for a call within its limits", func() {
	It("ends at the limit without progress, and says how long it waited and which limit to raise", Label("S12"), func() {
		for _, call := range waitingInEveryEra("hang", `{"call":"1s"}`, Hanging()) {
			Expect(call.host.Await(call.id).Failure()).To(
				MatchRegexp(`: no answer within \d+(\.\d)?m?s \(limits\.call raises the limit\)$`), call.eras)
			call.expectCancelled()
			Expect(call.host.Use("dev", "files", "read", "{}").Text()).To(Equal("done"), call.eras)
		}
	})
})

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
