package contract

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
)

func describeMessages(on *trial) {
	notify := func(method, params string) script.Step {
		return script.Step{Line: `{"jsonrpc":"2.0","method":"` + method + `","params":` + params + `}`}
	}

	Context("receiving notifications of a server", func() {
		It("passes them on to the host, in order and in the server's bytes", func() {
			session := on.play(script.Script{Rules: []script.Rule{{Method: "tools/call", Do: []script.Step{
				notify("notifications/odd", odd), notify("notifications/tools/list_changed", `{ }`),
				notify("notifications/message", `{ "level":"debug", "data":[1, 2]}`), notify("notifications/message", `{"level":"loud","data":1}`),
				{Line: `{"jsonrpc":"2.0","method":"notifications/unheard_of"}`},
				{Result: script.Text("done")},
			}}}})

			on.use(session, "read")

			Expect(on.host.heard()).To(Equal([]string{
				"files notifications/odd " + odd, "files notifications/tools/list_changed { }",
				`files notifications/message { "level":"debug", "data":[1, 2]}`, `files notifications/message {"level":"info","data":1}`, "files notifications/unheard_of ",
			}))
		})

		It("passes them on from the handshake onwards", func() {
			speaksFirst := "notifications/initialized"
			if on.modern {
				speaksFirst = "subscriptions/listen"
			}
			session := on.play(script.Script{Capabilities: `{"tools":{"listChanged":true}}`, Rules: []script.Rule{
				{Method: speaksFirst, Do: []script.Step{notify("notifications/message", `{"level":"info","data":"hello"}`)}},
				script.Answer("", script.Text("done")),
			}})

			on.use(session, "read")

			// Messages outside a call can have a stream of their own.
			Eventually(on.host.heard).WithTimeout(patience).Should(Equal([]string{`files notifications/message {"level":"info","data":"hello"}`}))
		})
	})
}
