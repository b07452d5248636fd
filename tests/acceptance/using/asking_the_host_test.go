package using_test

import (
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A server that asks the host", func() {
	DescribeTable("is answered by it, and both sides get the other's bytes", func(method, params, answer string) {
		host := Older.Connect(AllCapabilities, Older.Server(Asking(method, params)))

		id := host.BeginUse("dev", "files", "ask", "{}")
		question := host.AwaitSent(method, 1)
		Expect(string(question.Params)).To(Equal(FromServer("files", params)))
		Expect(string(question.ID)).To(MatchRegexp(`^\d+$`))
		host.Reply(question, answer)

		Expect(string(host.Await(id).Result)).To(Equal(`{"content":[],"heard":{"result":` + answer + `}}`))
	},
		Entry("to fill in a form", "elicitation/create", FormParams, `{"action":"accept","content":{"n":9007199254740993}}`),
		Entry("to open a page", "elicitation/create", PageParams, `{"action":"accept"}`),
		Entry("to sample",
			"sampling/createMessage", SamplingParams, `{"role":"assistant","content":{"type":"text","text":"Hi"},"model":"m","x":1.0}`),
		Entry("for its roots", "roots/list", "", `{"roots":[{"uri":"file:///a","name":"é"}]}`),
	)

	It("gets the host's own error", func() {
		host := Older.Connect(AllCapabilities, Older.Server(Asking("roots/list", "")))

		id := host.BeginUse("dev", "files", "ask", "{}")
		host.Refuse(host.AwaitSent("roots/list", 1), `{"code":-1,"message":"User rejected","data":{"n":1.0}}`)

		Expect(string(host.Await(id).Result)).To(Equal(
			`{"content":[],"heard":{"error":{"code":-1,"message":"User rejected","data":{"n":1.0}}}}`))
	})

	DescribeTable("is told which capabilities the host did not declare", func(method string) {
		host := Older.Connect(`{"experimental":{}}`, Older.Server(Asking(method, `{}`)))

		Expect(string(host.Use("dev", "files", "ask", "{}").Result)).To(Equal(
			`{"content":[],"heard":{"error":{"code":-32601,"message":"the host does not support ` + method + `"}}}`))
		Expect(host.Sent(method)).To(BeEmpty())
	},
		Entry(nil, "elicitation/create"), Entry(nil, "sampling/createMessage"), Entry(nil, "roots/list"),
	)

	It("can withdraw its question", func() {
		s := WithTools("ask", "read")
		s.Rules = []script.Rule{
			{Method: "tools/call", Tool: "ask", Do: []script.Step{
				{Line: `{"jsonrpc":"2.0","id":"mine","method":"elicitation/create","params":` + FormParams + `}`},
				{Line: `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"mine","reason":"too late"}}`},
				{Result: script.Text("without you")},
			}},
			script.Answer("read", script.Text("done")),
		}
		server := Older.Server(s)
		host := Older.Connect(AllCapabilities, server)

		Expect(host.Use("dev", "files", "ask", "{}").Text()).To(Equal("without you"))

		question := host.AwaitSent("elicitation/create", 1)
		Expect(host.AwaitSent("notifications/cancelled", 1).Member("requestId")).To(Equal(string(question.ID)))
		host.Reply(question, `{"action":"accept"}`)
		Expect(host.Use("dev", "files", "read", "{}").Text()).To(Equal("done"))
		Expect(strings.Join(server.Received(), "")).NotTo(ContainSubstring("accept"))
	})

	It("is answered before its handshake ends, and when no call is running", func() {
		gate := filepath.Join(GinkgoT().TempDir(), "gate")
		s := WithTools("read")
		s.Rules = []script.Rule{
			{Method: "initialize", Background: true, Do: []script.Step{
				{Ask: "roots/list"},
				{Touch: gate + ".early"},
				{Result: `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`},
			}},
			{Method: "notifications/initialized", Background: true, Do: []script.Step{
				{AwaitFile: gate}, {Ask: "sampling/createMessage", Params: SamplingParams}, {Touch: gate + ".late"},
			}},
		}
		w := Start(Launch{Config: Configuration(InDev(Older.Server(s)))})
		host := Connect(w, false, AllCapabilities)

		open := host.BeginCall("open_toolbox", `{"toolbox":"dev"}`)
		host.Reply(host.AwaitSent("roots/list", 1), `{"roots":[]}`)
		Expect(host.Await(open).Opened().Names()).To(Equal([]string{"read"}))
		Expect(gate + ".early").To(BeAnExistingFile())

		Expect(os.WriteFile(gate, nil, 0o600)).To(Succeed())
		host.Reply(host.AwaitSent("sampling/createMessage", 1), `{"role":"assistant","content":{},"model":"m"}`)
		Eventually(func() string { return gate + ".late" }).WithTimeout(Patience).Should(BeAnExistingFile())
	})

	It("is told that a host of 2026-07-28 can be asked only during a call, and only about what it knows", func() {
		s := Asking("vendor/new", "")
		s.Rules = append([]script.Rule{{Method: "notifications/initialized", Background: true, Do: []script.Step{{Ask: "roots/list"}}}}, s.Rules...)
		server := Older.Server(s)
		host := Modern.Connect(AllCapabilities, server)

		Eventually(server.Received).WithTimeout(Patience).Should(ContainElement(
			ContainSubstring(`"error":{"code":-32601,"message":"the host can only be asked during a call"}`)))
		Expect(string(host.Use("dev", "files", "ask", "{}").Result)).To(ContainSubstring(
			`{"error":{"code":-32601,"message":"the host cannot be asked for vendor/new"}}`))
	})

	It("may report that a visit to a page is complete, and refuse a call until then", func() {
		const needed = `{"code":-32042,"message":"Sign in first","data":{"elicitations":[` + PageParams + `]}}`
		s := WithTools("t")
		s.Rules = []script.Rule{{Method: "tools/call", Do: []script.Step{
			{Error: needed},
			{Line: `{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e"}}`},
		}}}
		host := Older.Connect(AllCapabilities, Older.Server(s))

		Expect(string(host.Use("dev", "files", "t", "{}").Error)).To(Equal(strings.Replace(needed, PageParams, FromServer("files", PageParams), 1)))

		Expect(string(host.AwaitSent("notifications/elicitation/complete", 1).Params)).To(Equal(`{"elicitationId":"dev/files/e"}`))
	})
})

var _ = Describe("The self-description of a host", func() {
	for _, ofHost := range Eras {
		It("is declared to every server in its bytes, by a host of "+ofHost.Name, func() {
			old, newer := Scripted("old", WithTools("t")), Scripted("new", Modern.Script(WithTools("t")))
			host := ofHost.Connect(AllCapabilities, old, newer)

			host.Use("dev", "new", "t", "{}")

			Expect(old.ReceivedWith("initialize")).To(ConsistOf(ContainSubstring(`"capabilities":` + AllCapabilities + `,`)))
			for _, method := range []string{"server/discover", "tools/call"} {
				Expect(newer.ReceivedWith(method)).To(ConsistOf(ContainSubstring(`"io.modelcontextprotocol/clientCapabilities":` + AllCapabilities)))
			}
		})
	}

	It("reaches every running older server when its roots changed", func() {
		a, b := Scripted("a", WithTools("t")), Scripted("b", WithTools("t"))
		newer, closed := Scripted("new", Modern.Script(WithTools("t"))), Scripted("closed", WithTools("t"))
		w := Start(Launch{Config: Configuration(
			InDev(a, newer), NewToolbox("more", b), NewToolbox("closed", closed))})
		host := Connect(w, false, AllCapabilities)
		host.Open("dev")
		host.Open("more")

		host.Notify("notifications/roots/list_changed", `{}`)
		host.Use("dev", "new", "t", "{}")

		for _, server := range []Server{a, b} {
			Eventually(func() []string { return server.ReceivedWith("notifications/roots/list_changed") }).
				WithTimeout(Patience).Should(HaveLen(1))
		}
		Expect(newer.ReceivedWith("notifications/roots/list_changed")).To(BeEmpty())
		Expect(closed.Received()).To(BeEmpty())
	})
})
