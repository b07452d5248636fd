package acceptance_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// ticking returns the steps that report progress for about so many tenths of a
// second.
func ticking(tenths int) []script.Step {
	var steps []script.Step
	for range tenths {
		steps = append(steps, script.Step{SleepMS: 100}, script.Step{Line: progress})
	}
	return steps
}

var _ = Describe("Waiting for a call within its limits", func() {
	betweenEras(func(ofHost, ofServer era) {
		It("goes on as long as there is progress", Label("S12"), func() {
			s := WithTools("work")
			s.Rules = []script.Rule{{Method: "tools/call", Background: true, Do: append(ticking(22), script.Step{Result: script.Text("done")})}}
			host := ofHost.connect(`{}`, ofServer.server(s, `"limits":{"call":"2s"}`))

			answer := host.Use("dev", "files", "work", "{}", `"progressToken":1`)

			Expect(answer.Text()).To(Equal("done"))
			Expect(host.Said("notifications/progress")).To(HaveLen(22))
		})

		It("ends at the limit on the whole call, whatever progress there is", Label("S12"), func() {
			s := WithTools("work", "read")
			s.Rules = []script.Rule{
				{Method: "tools/call", Tool: "work", Background: true, Do: ticking(100)},
				script.Answer("read", script.Text("done")),
			}
			server := ofServer.server(s, `"limits":{"call":"20s","callTotal":"1s"}`)
			host := ofHost.connect(`{}`, server)

			answer := host.Use("dev", "files", "work", "{}", `"progressToken":1`)

			Expect(answer.Failure()).To(MatchRegexp(`^Error executing tool 'work' in server 'files' \(toolbox 'dev'\): ` +
				`no answer within \d+(\.\d)?s \(limits\.callTotal raises the limit\)$`))
			Eventually(func() []string { return server.HeardOf("notifications/cancelled") }).
				WithTimeout(Patience).Should(HaveLen(1))
			Expect(cancelledID(server)).To(Equal(calledID(server)))
			Expect(host.Use("dev", "files", "read", "{}").Text()).To(Equal("done"), "over the same connection")
			Expect(server.Starts()).To(Equal(1))
			received := host.Received()
			Expect(received[len(received)-1].Method).To(BeEmpty(), "no progress after the result")
		})

		It("ends at the limit on silence, with how long it waited and what to raise", func() {
			server := ofServer.server(Hanging(), `"limits":{"call":"1s"}`)
			host := ofHost.connect(`{}`, server)

			answer := host.Use("dev", "files", "hang", "{}", `"progressToken":1`)

			Expect(answer.Failure()).To(MatchRegexp(`: no answer within \d+(\.\d)?m?s \(limits\.call raises the limit\)$`))
			Eventually(func() []string { return server.HeardOf("notifications/cancelled") }).
				WithTimeout(Patience).Should(HaveLen(1))
			Expect(host.Use("dev", "files", "read", "{}").Text()).To(Equal("done"))
		})
	})

	It("does not count the time that the host takes to answer the server", func() {
		s := WithTools("ask")
		s.Rules = []script.Rule{{Method: "tools/call", Background: true, Do: []script.Step{
			{Ask: "roots/list"}, {Result: script.Text("done")},
		}}}
		other := Scripted("other", Hanging(), `"limits":{"call":"2500ms"}`)
		host := older.connect(`{"roots":{}}`, older.server(s, `"limits":{"call":"2s"}`), other)

		id := host.BeginUse("dev", "files", "ask", "{}")
		question := host.AwaitSaid("roots/list", 1)
		// The limit of the other server is the longer one.
		Expect(host.Use("dev", "other", "hang", "{}").Failure()).To(ContainSubstring("limits.call"))
		Expect(host.Answers(id)).To(BeEmpty())
		host.Reply(question, `{"roots":[]}`)

		Expect(host.Await(id).Text()).To(Equal("done"))
	})
})
