package opening_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// withOnePage returns a server whose tool "show" has a page of which the host can read more than one, and with
// further tools.
func withOnePage(name string, tools ...string) Server {
	definitions := []string{withPage("show", `"resourceUri":"ui://page.html"`)}
	for _, tool := range tools {
		definitions = append(definitions, DescribedTool(tool, "Does it."))
	}
	s := WithDefinitions(definitions...)
	s.Capabilities = `{"tools":{},"resources":{}}`
	page := `{"contents":[{"uri":"ui://page.html","mimeType":"text/html;profile=mcp-app","text":"` + name + `"}]}`
	s.Rules = []script.Rule{{Method: "resources/read", URI: "ui://page.html", Do: []script.Step{{Result: page}}}}
	for _, tool := range append(tools, "show") {
		s.Rules = append(s.Rules, script.Answer(tool, script.Text(name+" did "+tool)))
	}
	return Scripted(name, s)
}

var _ = Describe("A page of one server", Label("TG01"), func() {
	forms := `{"elicitation":{"form":{}},` + rendering[1:]
	for _, e := range Eras {
		Context("at a host of "+e.Name, func() {
			// begin returns a host that opened the toolboxes of a bank and of games, and shows the page of the games.
			begin := func(members, capabilities string) (Host, Server) {
				bank, games := withOnePage("bank", "transfer"), withOnePage("games", "roll")
				config := strings.Replace(Configuration(NewToolbox("money", bank), NewToolbox("fun", games)), "{", "{"+members, 1)
				host := Connect(Start(Launch{Config: config}), e.Modern, capabilities)
				host.Open("money")
				host.Open("fun")
				show(host, "fun", "games")
				return host, bank
			}

			DescribeTable("may call no tool by a registered name", func(members string) {
				host, _ := begin(members, rendering)

				for name, visibility := range visibilities(host) {
					if strings.Contains(name, "__") {
						Expect(visibility).To(Equal("model"), name)
					}
				}
			},
				Entry("of those with a page", ""),
				Entry("of all tools, in dynamic mode", `"toolMode":"dynamic",`),
			)

			It("calls no tool of another one by reading that one's page first", func() {
				host, bank := begin("", rendering)

				host.Request("resources/read", host.Params(`"uri":"ui://money/bank/page.html"`))

				Expect(host.Tool("transfer", `{}`).Failure()).To(ContainSubstring("no page of a server with that tool was shown"))
				Expect(bank.CallsOf("transfer")).To(BeEmpty())
				Expect(host.Tool("roll", `{}`).Text()).To(Equal("games did roll"))
			})

			It("calls no tool of a server that was shown before it, where nobody can be asked", func() {
				host, bank := begin("", rendering)
				show(host, "money", "bank")
				Expect(host.Tool("transfer", `{}`).Text()).To(Equal("bank did transfer"))
				show(host, "fun", "games")

				Expect(host.Tool("transfer", `{}`).Failure()).To(ContainSubstring("only the page that was shown last can call tools"))
				Expect(host.Tool("roll", `{}`).Text()).To(Equal("games did roll"))
				Expect(bank.CallsOf("transfer")).To(HaveLen(1))
			})

			It("calls a tool of another one that is shown after a yes of the user", func() {
				host, bank := begin("", forms)
				Expect(host.Tool("roll", `{}`).Text()).To(Equal("games did roll"), "nobody is asked while one page is shown")
				show(host, "money", "bank")

				call := BeginPromptedCall(host, "transfer", `{}`)
				Expect(call.Question()).To(And(ContainSubstring("does not say which of them calls"), ContainSubstring(`Server: "bank" in the toolbox "money"`)))
				Expect(bank.CallsOf("transfer")).To(BeEmpty())
				Expect(call.AnswerWith(`{"action":"accept","content":{"decision":"yes, for this session"}}`).Ends().Text()).To(Equal("bank did transfer"))
				Expect(host.Tool("transfer", `{}`).Text()).To(Equal("bank did transfer"), "asked once")
			})
		})
	}
})

// show makes a model call the tool with the page, and the host read that page.
func show(host Host, toolbox, server string) {
	GinkgoHelper()
	Expect(host.Tool(toolbox+"__"+server+"_show", `{}`).Text()).To(Equal(server + " did show"))
	host.Request("resources/read", host.Params(`"uri":"ui://`+toolbox+"/"+server+`/page.html"`))
}
