package using_test

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// reporting returns a server with a tool that reports progress that many times before its result.
func reporting(times int) script.Script {
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
			server := ofServer.Server(reporting(2))
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

		It("passes all of it on, in the server's order, before the result, and never after it", func() {
			host := ofHost.Connect(`{}`, ofServer.Server(reporting(1000)))

			id := host.BeginUse("dev", "files", "work", "{}", `"progressToken":"p"`)
			host.Await(id)
			Expect(host.Use("dev", "files", "work", "{}").Text()).To(Equal("done"))

			notifications := host.Sent("notifications/progress")
			Expect(notifications).To(HaveLen(1000))
			for i, m := range notifications {
				Expect(m.Member("progress")).To(Equal(fmt.Sprint(i + 1)))
			}
			received := host.Received()
			Expect(received[len(received)-2].ID).To(BeEquivalentTo(id), "the result comes last")
		})
	})
})
