package contract

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
)

func describeBounds(on *trial) {
	Context("when as many requests are under way as the server may have", func() {
		It("refuses more at once, and accepts another when one is answered", func() {
			server := on.serve(script.Script{Rules: []script.Rule{
				{Method: "tools/call", Tool: "wait", Background: true, Do: []script.Step{on.await("go"), {Result: script.Text("waited")}}},
				script.Answer("read", script.Text("done")),
			}})
			server.Limits.InFlight = 3
			session := on.connect(server)
			calls := []*call{on.begin(session, "wait"), on.begin(session, "wait"), on.begin(session, "wait")}

			refused := on.begin(session, "read").end().err

			unavailable(refused)
			Expect(refused).To(MatchError(ContainSubstring("3 requests to the server are in flight")))
			Expect(session.Err()).NotTo(HaveOccurred())
			on.release("go")
			for _, call := range calls {
				Expect(call.result()).To(Equal(script.Text("waited")))
			}
			Expect(on.use(session, "read")).To(Equal(script.Text("done")))
		})
	})
}
