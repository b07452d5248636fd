package using_test

import (
	"cmp"
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
		Expect(string(wanted.Requests[wanted.Key()].Params)).To(Equal(cmp.Or(FromServer("files", params), "{}")))
		answer := host.Await(continueCall(host, "files", "ask", wanted.State, `{"`+wanted.Key()+`":`+response+`}`))

		Expect(string(answer.Result)).To(Equal(`{"resultType":"complete","content":[],"heard":{"result":` + response + `}}`))
		Expect(server.ReceivedWith("tools/call")).To(HaveLen(1), "the call is made once")
		Expect(host.Sent(method)).To(BeEmpty(), "hosts of that version are not asked otherwise")
	},
		Entry("a form", "elicitation/create", FormParams, `{"action":"accept","content":{"n":9007199254740993}}`),
		Entry("the roots", "roots/list", "", `{"roots":[ ]}`),
	)

	It("is also the opening of its toolbox, for the roots that servers want when they start", func() {
		s := WithTools("read")
		s.Rules = []script.Rule{{Method: "tools/list", Background: true, Do: []script.Step{
			{Ask: "roots/list"}, {Result: `{"tools":[` + script.Tool("read") + `]}`},
		}}}
		files, other := Older.Server(s), Scripted("other", s)
		host := Connect(Start(Launch{Config: Configuration(InDev(files, other))}), true, AllCapabilities)
		answer := host.Request("tools/call", host.Params(`"name":"open_toolbox","arguments":{"toolbox":"dev"}`))
		var answered int
		for ; answered < 2; answered++ {
			wanted := RequiredInputOf(answer)
			var responses []string
			for key, asked := range wanted.Requests {
				Expect(asked.Method).To(Equal("roots/list"))
				Expect(string(asked.Params)).To(Equal("{}"))
				responses = append(responses, Quote(key)+`:{"roots":[{"uri":"file:///w"}]}`)
			}
			answered += len(responses) - 1
			answer = host.Request("tools/call", host.Params(`"name":"open_toolbox","arguments":{"toolbox":"dev"},"requestState":`+Quote(wanted.State)+
				`,"inputResponses":{`+strings.Join(responses, ",")+`}`))
		}

		Expect(answer.Opened().Names()).To(Equal([]string{"read", "read"}))
		for _, server := range []Server{files, other} {
			Expect(server.ReceivedWith("")).To(ConsistOf(ContainSubstring(`"result":{"roots":[{"uri":"file:///w"}]}`)))
		}
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
})
