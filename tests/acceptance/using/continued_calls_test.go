package using_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A call of a host of 2026-07-28 during which an older server asks", func() {
	DescribeTable("ends with the required input, and the retry continues it", func(method, params, response string) {
		server := Older.Server(Asking(method, params))
		host := Modern.Connect(AllCapabilities, server)

		wanted := RequiredInputOf(host.Use("dev", "files", "ask", "{}"))
		Expect(wanted.Requests[wanted.Key()].Method).To(Equal(method))
		Expect(string(wanted.Requests[wanted.Key()].Params)).To(Equal(FromServer("files", params)))
		answer := host.Await(continueCall(host, "files", "ask", wanted.State, `{"`+wanted.Key()+`":`+response+`}`))

		Expect(string(answer.Result)).To(Equal(`{"resultType":"complete","content":[],"heard":{"result":` + response + `}}`))
		Expect(server.ReceivedWith("tools/call")).To(HaveLen(1), "the call is made once")
		Expect(host.Sent(method)).To(BeEmpty(), "hosts of that version are not asked otherwise")
	},
		Entry("a form", "elicitation/create", FormParams, `{"action":"accept","content":{"n":9007199254740993}}`),
		Entry("the roots", "roots/list", "", `{"roots":[ ]}`),
	)

	It("cannot be continued twice, by another state, or at another server", func() {
		const ended = "This call has ended: it was answered already, or the time for its input ran out. Call the tool again."
		files := Scripted("files", Asking("roots/list", ""))
		other := Scripted("other", Asking("roots/list", ""))
		host := Modern.Connect(AllCapabilities, files, other)
		wanted := RequiredInputOf(host.Use("dev", "files", "ask", "{}"))
		responses := `{"` + wanted.Key() + `":{"roots":[]}}`

		Expect(host.Await(continueCall(host, "files", "ask", wanted.State+"x", responses)).Failure()).To(Equal(ended))
		Expect(host.Await(continueCall(host, "other", "ask", wanted.State, responses)).Failure()).To(Equal(ended))
		Expect(string(host.Await(continueCall(host, "files", "ask", wanted.State, responses)).Result)).To(ContainSubstring(`"heard"`))
		Expect(host.Await(continueCall(host, "files", "ask", wanted.State, responses)).Failure()).To(Equal(ended))
		Expect(files.ReceivedWith("tools/call")).To(HaveLen(1))
		Expect(other.ReceivedWith("tools/call")).To(BeEmpty())
	})

	It("has progress and log messages as the current request asks for", func() {
		s := WithTools("ask")
		s.Capabilities = `{"tools":{},"logging":{}}`
		const message = `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"${n}"}}`
		s.Rules = []script.Rule{
			{Method: "tools/call", Background: true, Do: []script.Step{
				{Line: ProgressNotification}, {Ask: "roots/list"}, {Line: ProgressNotification}, {Line: message}, {Result: script.Text("done")},
			}},
			{Method: "logging/setLevel", Do: []script.Step{{Result: `{}`}}},
		}
		host := Modern.Connect(AllCapabilities, Older.Server(s))

		wanted := RequiredInputOf(host.Use("dev", "files", "ask", "{}", `"progressToken":"first"`))
		id := continueCall(host, "files", "ask", wanted.State, `{"`+wanted.Key()+`":{}}`,
			`"progressToken":"second"`, `"io.modelcontextprotocol/logLevel":"info"`)
		Expect(host.Await(id).Text()).To(Equal("done"))

		notifications := host.Sent("notifications/progress")
		Expect(notifications).To(HaveLen(2))
		Expect(notifications[0].Member("progressToken")).To(Equal(`"first"`))
		Expect(notifications[1].Member("progressToken")).To(Equal(`"second"`))
		Expect(host.Sent("notifications/message")).To(HaveLen(1))
	})

	It("is cancelled at the server when the request that continues it is cancelled", func() {
		s := WithTools("ask", "read")
		s.Rules = []script.Rule{
			{Method: "tools/call", Tool: "ask", Background: true, Do: []script.Step{{Ask: "roots/list"}}},
			script.Answer("read", script.Text("done")),
		}
		server := Older.Server(s)
		host := Modern.Connect(AllCapabilities, server)

		wanted := RequiredInputOf(host.Use("dev", "files", "ask", "{}"))
		id := continueCall(host, "files", "ask", wanted.State, `{"`+wanted.Key()+`":{}}`)
		host.Cancel(id)

		Eventually(func() []string { return server.ReceivedWith("notifications/cancelled") }).
			WithTimeout(Patience).Should(HaveLen(1))
		Expect(server.CancelledID()).To(Equal(server.CalledID()))
		Expect(host.End()).To(Equal(0))
		Expect(host.Answers(id)).To(BeEmpty())
	})

	Context("and which the host abandons", func() {
		It("ends at the limit for the host's input, and the server is told and gets an answer", func() {
			// It never answers the call itself: after an answer no cancel would be needed.
			s := WithTools("ask", "read")
			s.Rules = []script.Rule{
				{Method: "tools/call", Tool: "ask", Background: true, Do: []script.Step{{Ask: "roots/list"}}},
				script.Answer("read", script.Text("done")),
			}
			server := Older.Server(s)
			config := strings.TrimSuffix(Configuration(InDev(server)), "}\n") + `, "limits": {"inputReply": "300ms"}}`
			w := Start(Launch{Config: config})
			host := Connect(w, true, AllCapabilities)
			host.Open("dev")

			wanted := RequiredInputOf(host.Use("dev", "files", "ask", "{}"))

			Eventually(func() []string { return server.ReceivedWith("notifications/cancelled") }).
				WithTimeout(Patience).Should(HaveLen(1))
			Expect(server.CancelledID()).To(Equal(server.CalledID()))
			Eventually(server.Received).WithTimeout(Patience).Should(ContainElement(
				`{"jsonrpc":"2.0","id":"ask-1","error":{"code":-32603,"message":"the call that this request belongs to has ended"}}` + "\n"))
			Expect(host.Await(continueCall(host, "files", "ask", wanted.State, `{"`+wanted.Key()+`":{}}`)).Failure()).
				To(HavePrefix("This call has ended"))
			Expect(host.Use("dev", "files", "read", "{}").Text()).To(Equal("done"))
			Eventually(w.Stderr).WithTimeout(Patience).Should(ContainSubstring("ended a call that the host did not continue"))
		})
	})
})
