package faults_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

const progress = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":${n}}}`

// ticking returns the steps that report progress for about so many tenths of a
// second.
func ticking(tenths int) []script.Step {
	var steps []script.Step
	for range tenths {
		steps = append(steps, script.Step{SleepMS: 100}, script.Step{Line: progress})
	}
	return steps
}

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
	It("continues as long as there is progress", Label("S12"), func() {
		s := WithTools("work")
		s.Rules = []script.Rule{{Method: "tools/call", Background: true, Do: append(ticking(22), script.Step{Result: script.Text("done")})}}

		for _, call := range waitingInEveryEra("work", `{"call":"2s"}`, s) {
			Expect(call.host.Await(call.id).Text()).To(Equal("done"), call.eras)
			Expect(call.host.Sent("notifications/progress")).To(HaveLen(22), call.eras)
		}
	})

	It("ends at the limit for the whole call despite progress", Label("S12"), func() {
		s := WithTools("work", "read")
		s.Rules = []script.Rule{
			{Method: "tools/call", Tool: "work", Background: true, Do: ticking(100)},
			script.Answer("read", script.Text("done")),
		}

		for _, call := range waitingInEveryEra("work", `{"call":"20s","callTotal":"1s"}`, s) {
			Expect(call.host.Await(call.id).Failure()).To(MatchRegexp(`^Error executing tool 'work' in server 'files' \(toolbox 'dev'\): `+
				`no answer within \d+(\.\d)?s \(limits\.callTotal raises the limit\)$`), call.eras)
			call.expectCancelled()
			Expect(call.server.CancelledID()).To(Equal(call.server.CalledID()), call.eras)
			Expect(call.host.Use("dev", "files", "read", "{}").Text()).To(Equal("done"), "over the same connection "+call.eras)
			Expect(call.server.Starts()).To(Equal(1), call.eras)
			received := call.host.Received()
			Expect(received[len(received)-1].Method).To(BeEmpty(), "no progress after the result "+call.eras)
		}
	})

	It("ends at the limit without progress, and says how long it waited and which limit to raise", func() {
		for _, call := range waitingInEveryEra("hang", `{"call":"1s"}`, Hanging()) {
			Expect(call.host.Await(call.id).Failure()).To(
				MatchRegexp(`: no answer within \d+(\.\d)?m?s \(limits\.call raises the limit\)$`), call.eras)
			call.expectCancelled()
			Expect(call.host.Use("dev", "files", "read", "{}").Text()).To(Equal("done"), call.eras)
		}
	})
})
