package contract

import (
	"encoding/json"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/ports"
	"mcp-workbench/tests/fixtures/script"
)

// describeAnnouncing is about notifications to servers of versions before 2026-07-28.
func describeAnnouncing(on *trial) {
	Context("sending notifications to a server", func() {
		It("sends parameters of requests in their own bytes, and tells the server that the roots changed", func() {
			session := on.play(script.Script{Rules: []script.Rule{{Method: "resources/read", Do: []script.Step{{Result: `{"got":${params}}`}}}}})
			read := ports.Request{Message: ports.Message{Method: "resources/read", Params: json.RawMessage(odd)}}

			Expect(on.beginRequest(session, read).result()).To(Equal(`{"got":` + odd + `}`))

			session.AnnounceRootsChanged()
			Expect(member(on.hears("notifications/roots/list_changed"), "params")).To(BeEmpty())
		})

		It("tells a server with logging which messages the host wants, when that changes", func() {
			session := on.play(script.Script{Capabilities: `{"logging":{}}`, Rules: []script.Rule{
				{Method: "logging/setLevel", Do: []script.Step{{Result: "{}"}}}, script.Answer("", script.Text("done")),
			}})

			session.SetLogLevel("debug")
			session.SetLogLevel("debug")
			session.SetLogLevel("error")
			on.use(session, "read")

			messages := on.heard("logging/setLevel")
			Expect(messages).To(HaveLen(2))
			Expect(member(messages[0], "params", "level")).To(Equal(`"debug"`))
			Expect(member(messages[1], "params", "level")).To(Equal(`"error"`))
		})

		It("does not tell a server without logging", func() {
			session := on.play(answering())

			session.SetLogLevel("debug")
			on.use(session, "read")

			Expect(on.heard("logging/setLevel")).To(BeEmpty())
		})
	})
}
