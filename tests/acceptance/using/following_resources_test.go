package using_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Following resources", func() {
	It("is done by subscribing, for a host with a handshake, at the server that has them", func() {
		a, b := Scripted("a", resourceScript("a")), Scripted("b", resourceScript("b"))
		host := Older.Connect(`{}`, a, b)
		host.Use("dev", "b", "link", "{}")

		Expect(string(host.Request("resources/subscribe", `{"uri":"file:///shared"}`).Result)).To(Equal(`{}`))
		Expect(b.ReceivedWith("resources/subscribe")).To(HaveLen(1))
		Expect(a.ReceivedWith("resources/subscribe")).To(BeEmpty())
		host.Request("resources/subscribe", `{"uri":"b://own"}`)
		host.Use("dev", "b", "touch", "{}")
		Expect(string(host.AwaitSent("notifications/resources/updated", 1).Params)).To(Equal(`{"uri":"b://own","x":1.0}`))
		Expect(string(host.Request("resources/unsubscribe", `{"uri":"file:///shared"}`).Result)).To(Equal(`{}`))
		Expect(b.ReceivedWith("resources/unsubscribe")).To(HaveLen(1))
	})

	It("sends few notifications, including the last one, even if a server repeats many", Label("TO06"), func() {
		const times = 20_000
		repeated := func(method, params string) script.Step {
			return script.Step{Line: `{"jsonrpc":"2.0","method":"notifications/` + method + `","params":{` + params + `}}`, Times: times}
		}
		flood := script.Rule{Method: "tools/call", Do: []script.Step{
			repeated("resources/updated", `"uri":"a://own","n":${n}`), repeated("resources/list_changed", ""), repeated("prompts/list_changed", ""),
			{Result: script.Text("done")},
		}}
		w := Serve(InDev(Scripted("a", script.Script{
			Capabilities: `{"tools":{},"prompts":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true}}`, Tools: []string{script.Tool("flood")},
			Rules: []script.Rule{flood, {Method: "resources/subscribe", Do: []script.Step{{Result: `{}`}}}, {Method: "resources/list", Do: []script.Step{{Result: `{"resources":[{"uri":"a://own"}]}`}}}},
		})))
		w.Open("dev")
		Expect(string(w.Request("resources/subscribe", `{"uri":"a://own"}`).Result)).To(Equal(`{}`))

		Expect(w.Use("dev", "a", "flood", "{}").Text()).To(Equal("done"))

		Eventually(func() []Message { return w.Sent("notifications/resources/updated") }).WithTimeout(Patience).
			Should(ContainElement(HaveField("Params", ContainSubstring(`"n":20000`))))
		for _, method := range []string{"resources/updated", "resources/list_changed", "prompts/list_changed"} {
			Expect(len(w.Sent("notifications/"+method))).To(And(BeNumerically(">=", 1), BeNumerically("<", times/20)), method)
		}
	})

	It("is done by listening, for a host of 2026-07-28, which hears only what it listens to", func() {
		server := Scripted("a", resourceScript("a"))
		host := Modern.Connect(`{}`, server)

		id := host.Begin("subscriptions/listen", host.Params(
			`"notifications":{"toolsListChanged":true,"resourcesListChanged":true,"resourceSubscriptions":["a://own"]}`))
		Expect(string(host.AwaitSent("notifications/subscriptions/acknowledged", 1).Params)).To(MatchJSON(
			`{"notifications":{"toolsListChanged":true,"resourcesListChanged":true,"resourceSubscriptions":["a://own"]},` +
				`"_meta":{"io.modelcontextprotocol/subscriptionId":` + id + `}}`))
		Eventually(func() []string { return server.ReceivedWith("resources/subscribe") }).WithTimeout(Patience).
			Should(ConsistOf(ContainSubstring(`"uri":"a://own"`)))
		host.Use("dev", "a", "touch", "{}")

		Expect(string(host.AwaitSent("notifications/resources/updated", 1).Params)).To(MatchJSON(
			`{"uri":"a://own","x":1.0,"_meta":{"io.modelcontextprotocol/subscriptionId":` + id + `}}`))
		host.AwaitSent("notifications/resources/list_changed", 1)
		host.Cancel(id)
		host.Use("dev", "a", "touch", "{}")
		Expect(host.Sent("notifications/resources/updated")).To(HaveLen(1))
		Expect(host.Answers(id)).To(BeEmpty())
	})

	It("ends at the server when a host of 2026-07-28 stops listening", func() {
		server := Scripted("a", resourceScript("a"))
		host := Modern.Connect(`{}`, server)
		first := host.Begin("subscriptions/listen", host.Params(`"notifications":{"resourceSubscriptions":["a://own"]}`))
		second := host.Begin("subscriptions/listen", host.Params(`"notifications":{"resourceSubscriptions":["a://own"]}`))
		Eventually(func() []string { return server.ReceivedWith("resources/subscribe") }).WithTimeout(Patience).Should(HaveLen(2))

		host.Cancel(first)
		host.Use("dev", "a", "touch", "{}")
		host.AwaitSent("notifications/resources/updated", 1)
		Expect(server.ReceivedWith("resources/unsubscribe")).To(BeEmpty(), "the second one is still there")
		host.Cancel(second)

		Eventually(func() []string { return server.ReceivedWith("resources/unsubscribe") }).WithTimeout(Patience).
			Should(ConsistOf(ContainSubstring(`"uri":"a://own"`)))
	})
})
