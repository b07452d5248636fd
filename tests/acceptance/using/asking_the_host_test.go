package using_test

import (
	"os"
	"path/filepath"

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

	DescribeTable("is told which capabilities the host did not declare", func(method string) {
		host := Older.Connect(`{"experimental":{}}`, Older.Server(Asking(method, `{}`)))

		Expect(string(host.Use("dev", "files", "ask", "{}").Result)).To(Equal(
			`{"content":[],"heard":{"error":{"code":-32601,"message":"the host does not support ` + method + `"}}}`))
		Expect(host.Sent(method)).To(BeEmpty())
	},
		Entry(nil, "elicitation/create"), Entry(nil, "sampling/createMessage"), Entry(nil, "roots/list"),
	)

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
		s.Rules = append([]script.Rule{{Method: "notifications/initialized", Background: true, Do: []script.Step{{Ask: "sampling/createMessage", Params: SamplingParams}}}}, s.Rules...)
		server := Older.Server(s)
		host := Modern.Connect(AllCapabilities, server)

		Eventually(server.Received).WithTimeout(Patience).Should(ContainElement(
			ContainSubstring(`"error":{"code":-32601,"message":"the host can only be asked during a call"}`)))
		Expect(string(host.Use("dev", "files", "ask", "{}").Result)).To(ContainSubstring(
			`{"error":{"code":-32601,"message":"the host cannot be asked for vendor/new"}}`))
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
})
