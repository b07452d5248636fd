package using_test

import (
	"encoding/json"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// resourceScript returns a server with resources: its own and one that others
// have too. Its tool points at them in both possible ways.
func resourceScript(name string) script.Script {
	s := WithTools("link", "embed", "touch")
	s.Capabilities = `{"tools":{},"resources":{"subscribe":true,"listChanged":true}}`
	own, shared := `"`+name+`://own"`, `"file:///shared"`
	s.Rules = []script.Rule{
		{Method: "tools/call", Tool: "link", Do: []script.Step{
			{Result: `{"content":[{"type":"resource_link","uri":` + shared + `,"name":"x"}]}`},
		}},
		{Method: "tools/call", Tool: "embed", Do: []script.Step{
			{Result: `{"content":[{"type":"text","text":"t"},{"type":"resource","resource":{"uri":` + shared + `,"text":"x"}}]}`},
		}},
		{Method: "tools/call", Tool: "touch", Do: []script.Step{
			{Line: `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":` + own + `,"x":1.0}}`},
			{Line: `{"jsonrpc":"2.0","method":"notifications/resources/list_changed"}`},
			{Result: script.Text("done")},
		}},
		{Method: "resources/list", Once: true, Do: []script.Step{
			{Result: `{"resources":[{"uri":` + own + `,"name":"own","size":9007199254740993,"_meta":{"x":1}}],"nextCursor":"more"}`},
		}},
		{Method: "resources/list", Do: []script.Step{{Result: `{"resources":[{"uri":` + shared + `,"name":"shared"}]}`}}},
		{Method: "resources/templates/list", Do: []script.Step{
			{Result: `{"resourceTemplates":[{"uriTemplate":"` + name + `://{id}","name":"t"}]}`},
		}},
		{Method: "resources/read", Do: []script.Step{{Result: `{"contents":[],"by":"` + name + `","heard":${params}}`}}},
		{Method: "resources/subscribe", Do: []script.Step{{Result: `{}`}}},
		{Method: "resources/unsubscribe", Do: []script.Step{{Result: `{}`}}},
	}
	return s
}

// listedBy asks for a list and returns its entries.
func listedBy(host Host, method, member string) []string {
	GinkgoHelper()
	var result map[string]json.RawMessage
	host.Request(method, host.Params("")).Decode(&result)
	var entries []json.RawMessage
	Expect(json.Unmarshal(result[member], &entries)).To(Succeed())
	texts := make([]string, len(entries))
	for i, entry := range entries {
		texts[i] = string(entry)
	}
	return texts
}

func readBy(host Host, uri string) string {
	GinkgoHelper()
	var result struct{ By string }
	host.Request("resources/read", host.Params(`"uri":`+Quote(uri))).Decode(&result)
	return result.By
}

var _ = Describe("Reading resources", func() {
	BetweenEras(func(ofHost, ofServer Era) {
		It("lists the resources and templates of every open server, with all pages, each with its server", func() {
			a := Scripted("a", ofServer.Script(resourceScript("a")))
			b := Scripted("b", ofServer.Script(resourceScript("b")))
			plain := Scripted("plain", ofServer.Script(WithTools("t")))
			host := ofHost.Connect(`{}`, a, plain, b)

			Expect(listedBy(host, "resources/list", "resources")).To(HaveExactElements(
				MatchJSON(`{"uri":"a://own","name":"own","size":9007199254740993,"_meta":{"x":1,"mcp-workbench/server":"dev/a"}}`),
				MatchJSON(`{"uri":"file:///shared","name":"shared","_meta":{"mcp-workbench/server":"dev/a"}}`),
				MatchJSON(`{"uri":"b://own","name":"own","size":9007199254740993,"_meta":{"x":1,"mcp-workbench/server":"dev/b"}}`),
				MatchJSON(`{"uri":"file:///shared","name":"shared","_meta":{"mcp-workbench/server":"dev/b"}}`)))
			Expect(listedBy(host, "resources/templates/list", "resourceTemplates")).To(HaveExactElements(
				MatchJSON(`{"uriTemplate":"a://{id}","name":"t","_meta":{"mcp-workbench/server":"dev/a"}}`),
				MatchJSON(`{"uriTemplate":"b://{id}","name":"t","_meta":{"mcp-workbench/server":"dev/b"}}`)))
			Expect(plain.ReceivedWith("resources/list")).To(BeEmpty())
		})

		It("reads one that a result pointed at from the server of that result, of the last one if there are two", func() {
			a := Scripted("a", ofServer.Script(resourceScript("a")))
			b := Scripted("b", ofServer.Script(resourceScript("b")))
			host := ofHost.Connect(`{}`, a, b)

			answer := host.Use("dev", "b", "link", "{}")
			Expect(string(answer.Result)).To(ContainSubstring(`"uri":"file:///shared"`), "the server's own")
			Expect(readBy(host, "file:///shared")).To(Equal("b"))

			host.Use("dev", "a", "embed", "{}")
			Expect(readBy(host, "file:///shared")).To(Equal("a"))

			host.Use("dev", "b", "embed", "{}")
			Expect(readBy(host, "file:///shared")).To(Equal("b"))
		})
	})

	for _, ofHost := range Eras {
		It("starts no server, and uses only those that are open, for a host of "+ofHost.Name, func() {
			server := Scripted("a", resourceScript("a"))
			w := Start(Launch{Config: Configuration(InDev(server))})
			host := Connect(w, ofHost.Modern, `{}`)

			Expect(listedBy(host, "resources/list", "resources")).To(BeEmpty())
			code := -32002
			if ofHost.Modern {
				code = -32602
			}
			Expect(host.Request("resources/read", host.Params(`"uri":"a://own"`)).Code()).To(Equal(code))
			Expect(server.Received()).To(BeEmpty())
		})
	}
})

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
