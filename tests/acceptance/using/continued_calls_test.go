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
		Entry("a page", "elicitation/create", PageParams, `{"action":"accept"}`),
		Entry("a sample",
			"sampling/createMessage", SamplingParams, `{"role":"assistant","content":{"type":"text","text":"Hi"},"model":"m"}`),
		Entry("the roots", "roots/list", "", `{"roots":[ ]}`),
	)

	It("can require input repeatedly, with a new state each time", func() {
		s := WithTools("ask")
		s.Rules = []script.Rule{{Method: "tools/call", Background: true, Do: []script.Step{
			{Ask: "roots/list"}, {Ask: "roots/list"}, {Ask: "elicitation/create", Params: FormParams}, {Result: `{"content":[],"heard":${answer}}`},
		}}}
		host := Modern.Connect(AllCapabilities, Older.Server(s))

		states := map[string]bool{}
		answer := host.Use("dev", "files", "ask", "{}")
		for range 3 {
			wanted := RequiredInputOf(answer)
			states[wanted.State] = true
			answer = host.Await(continueCall(host, "files", "ask", wanted.State, `{"`+wanted.Key()+`":{"action":"cancel"}}`))
		}

		Expect(states).To(HaveLen(3))
		Expect(string(answer.Result)).To(ContainSubstring(`"heard":{"result":{"action":"cancel"}}`))
	})

	It("requires again the input that the host left open", func() {
		host := Modern.Connect(AllCapabilities, Older.Server(Asking("roots/list", "")))
		wanted := RequiredInputOf(host.Use("dev", "files", "ask", "{}"))

		again := RequiredInputOf(host.Await(continueCall(host, "files", "ask", wanted.State, `{"unknown":{}}`)))
		Expect(again.Key()).To(Equal(wanted.Key()))
		answer := host.Await(continueCall(host, "files", "ask", again.State, `{"`+again.Key()+`":{"roots":[]}}`))

		Expect(string(answer.Result)).To(ContainSubstring(`{"result":{"roots":[]}}`))
	})

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

	It("keeps a result that comes before the host continues", func() {
		s := WithTools("ask", "read")
		s.Rules = []script.Rule{
			{Method: "tools/call", Tool: "ask", Do: []script.Step{
				{Line: `{"jsonrpc":"2.0","id":"q","method":"roots/list"}`}, {Result: script.Text("without you")},
			}},
			script.Answer("read", script.Text("done")),
		}
		server := Older.Server(s)
		host := Modern.Connect(AllCapabilities, server)

		wanted := RequiredInputOf(host.Use("dev", "files", "ask", "{}"))
		host.Use("dev", "files", "read", "{}") // after the result on the same pipe
		answer := host.Await(continueCall(host, "files", "ask", wanted.State, `{"`+wanted.Key()+`":{"roots":["late"]}}`))

		Expect(answer.Text()).To(Equal("without you"))
		Eventually(server.Received).WithTimeout(Patience).Should(ContainElement(
			`{"jsonrpc":"2.0","id":"q","result":{"roots":["late"]}}`+"\n"), "the server still wants to know")
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

	It("fails when its server dies while the host is to answer", func() {
		s := Asking("roots/list", "")
		s.Tools = append(s.Tools, script.Tool("die"))
		s.Rules = append(s.Rules, script.Rule{Method: "tools/call", Tool: "die", Do: []script.Step{{Exit: 3}}})
		host := Modern.Connect(AllCapabilities, Older.Server(s))

		wanted := RequiredInputOf(host.Use("dev", "files", "ask", "{}"))
		host.Use("dev", "files", "die", "{}").Failure()
		answer := host.Await(continueCall(host, "files", "ask", wanted.State, `{"`+wanted.Key()+`":{}}`))

		Expect(answer.Failure()).To(Equal("Error executing tool 'ask' in server 'files' (toolbox 'dev'): the server ended with exit code 3"))
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

		It("does not count against the limits of later calls", func() {
			s := Asking("roots/list", "")
			s.Tools = append(s.Tools, script.Tool("hang"))
			s.Rules = append([]script.Rule{{Method: "tools/call", Tool: "hang"}}, s.Rules...)
			server := Older.Server(s, `"limits":{"call":"2s"}`)
			config := strings.TrimSuffix(Configuration(InDev(server)), "}\n") + `, "limits": {"inputReply": "100ms"}}`
			w := Start(Launch{Config: config})
			host := Connect(w, true, AllCapabilities)
			host.Open("dev")
			RequiredInputOf(host.Use("dev", "files", "ask", "{}"))

			Expect(host.Use("dev", "files", "hang", "{}").Failure()).To(ContainSubstring("limits.call"))
		})
	})
})
