package using_test

import (
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/remote"
	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// followed returns a server of 2026-07-28 that notifies listeners about its resource a://own
// whenever its tool is used.
func followed() script.Script {
	touched := filepath.Join(GinkgoT().TempDir(), "touched")
	const meta = `"_meta":{"io.modelcontextprotocol/subscriptionId":${id}`
	return script.Script{
		Capabilities: `{"tools":{},"resources":{"subscribe":true}}`,
		Tools:        []string{script.Tool("touch")},
		Rules: []script.Rule{
			{Method: "subscriptions/listen", Background: true, Do: []script.Step{
				{Line: `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged",` +
					`"params":{"notifications":{"resourceSubscriptions":["a://own"]},` + meta + `}}}`},
				{AwaitFile: touched},
				{Line: `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a://own","x":1.0,` + meta + `,"y":2.0}}}`},
			}},
			{Method: "tools/call", Tool: "touch", Do: []script.Step{{Touch: touched}, {Result: script.Text("done")}}},
		},
	}
}

var _ = Describe("Following resources of a server of 2026-07-28", func() {
	overStdio := func(s script.Script) Server { return Modern.Server(s) }
	overHTTP := func(s script.Script) Server {
		return WebKind{Era: Modern, Transport: "http", Start: remote.StartModern}.Serve(s).Server
	}
	hears := func(server Server, method string) []string {
		GinkgoHelper()
		var heard []string
		Eventually(func() []string { heard = server.ReceivedWith(method); return heard }).WithTimeout(Patience).Should(HaveLen(1))
		return heard
	}

	for _, place := range []struct {
		name  string
		serve func(script.Script) Server
	}{{"over stdio", overStdio}, {"over HTTP", overHTTP}} {
		serve := place.serve
		Context(place.name, func() {
			It("is done by subscribing, for a host with a handshake, until it unsubscribes", func() {
				server := serve(followed())
				host := Older.Connect(`{}`, server)

				Expect(string(host.Request("resources/subscribe", `{"uri":"a://own"}`).Result)).To(Equal(`{}`))
				Expect(server.ReceivedWith("resources/subscribe")).To(BeEmpty())
				Expect(hears(server, "subscriptions/listen")).To(ConsistOf(
					ContainSubstring(`"notifications":{"resourceSubscriptions":["a://own"]}`)))
				host.Use("dev", "files", "touch", "{}")

				Expect(string(host.AwaitSent("notifications/resources/updated", 1).Params)).To(Equal(
					`{"uri":"a://own","x":1.0,"_meta":{"y":2.0}}`))
				Expect(host.Sent("notifications/subscriptions/acknowledged")).To(BeEmpty())
				Expect(server.ReceivedWith("notifications/cancelled")).To(BeEmpty())
				Expect(string(host.Request("resources/unsubscribe", `{"uri":"a://own"}`).Result)).To(Equal(`{}`))
				Expect(RequestIDs(hears(server, "notifications/cancelled"))).To(Equal(RequestIDs(server.ReceivedWith("subscriptions/listen"))))
				Expect(server.ReceivedWith("resources/unsubscribe")).To(BeEmpty())
			})

			It("is done by listening, for a host of 2026-07-28, until it stops listening", func() {
				server := serve(followed())
				host := Modern.Connect(`{}`, server)

				id := host.Begin("subscriptions/listen", host.Params(`"notifications":{"resourceSubscriptions":["a://own"]}`))
				hears(server, "subscriptions/listen")
				host.Use("dev", "files", "touch", "{}")

				Expect(string(host.AwaitSent("notifications/resources/updated", 1).Params)).To(MatchJSON(
					`{"uri":"a://own","x":1.0,"_meta":{"io.modelcontextprotocol/subscriptionId":` + id + `}}`))
				Expect(server.ReceivedWith("notifications/cancelled")).To(BeEmpty())
				host.Cancel(id)
				Expect(RequestIDs(hears(server, "notifications/cancelled"))).To(Equal(RequestIDs(server.ReceivedWith("subscriptions/listen"))))
			})
		})
	}
})
