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
