package using_test

import (
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// promptScript returns a server with two prompts, each on its own page. The result of each shows its
// server and the received message.
func promptScript(name string) script.Script {
	s := WithTools("read")
	s.Capabilities = `{"tools":{},"prompts":{"listChanged":true}}`
	s.Rules = []script.Rule{
		{Method: "prompts/list", Cursor: "more", Do: []script.Step{{Result: `{"prompts":[{"name":"odd ` + name + `","description":"d"}]}`}}},
		{Method: "prompts/list", Do: []script.Step{{Result: `{"prompts":[{ "title":"Rev\u00efew","name":"review" ,` +
			`"arguments":[ {"name":"code","required":true,"n":9007199254740993} ],"_meta":{"x":1.0}}],"nextCursor":"more"}`}}},
		{Method: "prompts/get", Do: []script.Step{{Result: `{ "messages":[],"by":"` + name + `","heard":${params},"n":9007199254740993}`}}},
		script.Answer("read", script.Text("done")),
	}
	return s
}

// withFirstRules puts rules before those of a script.
func withFirstRules(s script.Script, rules ...script.Rule) script.Script {
	s.Rules = append(rules, s.Rules...)
	return s
}

// promptListRule is the rule of a server that lists these prompts.
func promptListRule(result string) script.Rule {
	return script.Rule{Method: "prompts/list", Do: []script.Step{{Result: result}}}
}

// promptAnswer gets a prompt, with these further members of the parameters.
func promptAnswer(host Host, name, members string, meta ...string) Message {
	GinkgoHelper()
	return host.Request("prompts/get", host.Params(`"name":`+Quote(name)+members, meta...))
}

// promptNames returns the names of the prompts that are listed.
func promptNames(host Host) []string {
	GinkgoHelper()
	var result struct{ Prompts []struct{ Name string } }
	host.Request("prompts/list", host.Params("")).Decode(&result)
	names := []string{}
	for _, prompt := range result.Prompts {
		names = append(names, prompt.Name)
	}
	return names
}

var _ = Describe("Prompts of connected servers", func() {
	BetweenEras(func(ofHost, ofServer Era) {
		It("are listed, with all pages, in the server's bytes except for the name", func() {
			plain := Scripted("plain", ofServer.Script(WithTools("t")))
			host := ofHost.Connect(`{}`, Scripted("a", ofServer.Script(promptScript("a"))), plain, Scripted("b", ofServer.Script(promptScript("b"))))

			definition := func(server string) string {
				return `{ "title":"Rev\u00efew","name":"dev__` + server + `_review" ,` +
					`"arguments":[ {"name":"code","required":true,"n":9007199254740993} ],"_meta":{"x":1.0}}`
			}
			Expect(listedBy(host, "prompts/list", "prompts")).To(HaveExactElements(
				Equal(definition("a")), MatchRegexp(`^\{"name":"dev__a_odd-a_[0-9a-f]{8}","description":"d"\}$`),
				Equal(definition("b")), MatchRegexp(`^\{"name":"dev__b_odd-b_[0-9a-f]{8}","description":"d"\}$`)))
			Expect(plain.ReceivedWith("prompts/list")).To(BeEmpty())
		})

		It("come from their server, by its own name for them and in its bytes", func() {
			a, b := Scripted("a", ofServer.Script(promptScript("a"))), Scripted("b", ofServer.Script(promptScript("b")))
			host := ofHost.Connect(`{}`, a, b)
			names := promptNames(host)
			Expect(names).To(HaveLen(4))

			answer := promptAnswer(host, names[3], `,"arguments":{ "name":"x","n":1.0 },"more":[1, 2]`, `"traceparent":"t"`)

			Expect(string(answer.Result)).To(And(
				ContainSubstring(`"messages":[],"by":"b","heard":{"name":"odd b","arguments":{ "name":"x","n":1.0 },"more":[1, 2],"_meta":{`),
				ContainSubstring(`"traceparent":"t"`), HaveSuffix(`,"n":9007199254740993}`)))
			Expect(strings.HasPrefix(string(answer.Result), `{"resultType":"complete",`)).To(Equal(ofHost.Modern))
			Expect(a.ReceivedWith("prompts/get")).To(BeEmpty())
		})
	})

	for _, e := range Eras {
		Context("for a host of "+e.Name, func() {
			It("are registered once if they would have the same name", Label("S18"), func() {
				first := withFirstRules(promptScript("a"), promptListRule(`{"prompts":[{"name":"b_c"}]}`))
				second := withFirstRules(promptScript("a_b"), promptListRule(`{"prompts":[{"name":"c"},{"name":"d"}]}`))
				host := e.Connect(`{}`, Scripted("a", first), Scripted("a_b", second))

				Expect(promptNames(host)).To(Equal([]string{"dev__a_b_c", "dev__a_b_d"}))

				Expect(string(promptAnswer(host, "dev__a_b_c", "").Result)).To(ContainSubstring(`"by":"a"`))
				Expect(string(promptAnswer(host, "dev__a_b_d", "").Result)).To(ContainSubstring(`"by":"a_b"`))
				Expect(host.Open("dev").Warnings).To(ContainElement(
					"Server 'a_b': prompt 'c' is not available, since another prompt has the name 'dev__a_b_c'"))
				Eventually(host.Stderr).WithTimeout(Patience).Should(ContainSubstring("another one has its name"))
			})
		})
	}
})

const promptsListChanged = "notifications/prompts/list_changed"

// followPrompts makes a host follow the list of prompts in the way of its era.
func followPrompts(host Host) {
	GinkgoHelper()
	if host.Modern {
		before := len(host.Sent("notifications/subscriptions/acknowledged"))
		host.Begin("subscriptions/listen", host.Params(`"notifications":{"promptsListChanged":true}`))
		acknowledged := host.AwaitSent("notifications/subscriptions/acknowledged", before+1)
		Expect(acknowledged.Member("notifications")).To(Equal(`{"promptsListChanged":true}`))
	}
}

// expectPromptsChanged expects that the nth notification that prompts changed came after
// the answer to a request.
func expectPromptsChanged(host Host, n int, id string) {
	GinkgoHelper()
	SkipOverHTTP("the answer and the notification come on two streams")
	host.AwaitSent(promptsListChanged, n)
	seen := 0
	for _, m := range host.Received() {
		switch {
		case m.Method == promptsListChanged:
			seen++
		case m.Method == "" && string(m.ID) == id:
			Expect(seen).To(Equal(n-1), "it should come after the answer")
			return
		}
	}
	Fail("there is no answer to " + id)
}

// changingPrompts returns a promptScript whose tool "read" changes its prompts and announces the change.
func changingPrompts(name string, era Era) script.Script {
	changed := filepath.Join(GinkgoT().TempDir(), "changed")
	notification := script.Step{Line: `{"jsonrpc":"2.0","method":"` + promptsListChanged + `"}`}
	s := withFirstRules(promptScript(name),
		script.Rule{Method: "prompts/list", Once: true, Do: []script.Step{{Result: `{"prompts":[{"name":"old"}]}`}}},
		script.Rule{Method: "prompts/list", Do: []script.Step{{Result: `{"prompts":[{"name":"new"}]}`}}},
	)
	if !era.Modern {
		return withFirstRules(s, script.Rule{Method: "tools/call", Do: []script.Step{notification, {Result: script.Text("done")}}})
	}
	notification.Line = `{"jsonrpc":"2.0","method":"` + promptsListChanged + `","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":${id}}}}`
	return withFirstRules(s,
		script.Rule{Method: "subscriptions/listen", Background: true, Do: []script.Step{
			{Line: `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"promptsListChanged":true},` +
				`"_meta":{"io.modelcontextprotocol/subscriptionId":${id}}}}`},
			{AwaitFile: changed},
			notification,
		}},
		script.Rule{Method: "tools/call", Do: []script.Step{{Touch: changed}, {Result: script.Text("done")}}})
}

var _ = Describe("A host that follows prompts", func() {
	BetweenEras(func(ofHost, ofServer Era) {
		It("hears that a toolbox added some, after the answer that opened it, and that they changed", func() {
			server := Scripted("a", ofServer.Script(changingPrompts("a", ofServer)))
			host := Connect(Start(Launch{Config: Configuration(InDev(server))}), ofHost.Modern, `{}`)
			followPrompts(host)
			Expect(promptNames(host)).To(BeEmpty())

			expectPromptsChanged(host, 1, host.BeginTool("open_toolbox", `{"toolbox":"dev"}`))
			Expect(server.ReceivedWith("prompts/list")).To(BeEmpty(), "no host asked for them yet")
			Expect(promptNames(host)).To(Equal([]string{"dev__a_old"}))
			host.Use("dev", "a", "read", "{}")
			notices := host.AwaitSent(promptsListChanged, 2)

			if ofHost.Modern {
				Expect(notices.Member("_meta")).To(ContainSubstring("subscriptionId"))
			} else {
				Expect(notices.Params).To(BeNil())
			}
			Expect(promptNames(host)).To(Equal([]string{"dev__a_new"}))
		})
	})
})

// completer returns a promptScript that completes, with a template of its own and one that
// others have too.
func completer(name string) script.Script {
	s := promptScript(name)
	s.Capabilities = `{"tools":{},"prompts":{},"resources":{},"completions":{}}`
	return withFirstRules(s,
		script.Rule{Method: "resources/templates/list", Do: []script.Step{
			{Result: `{"resourceTemplates":[{"uriTemplate":"` + name + `://{id}","name":"t"},{"uriTemplate":"all://{id}","name":"t"}]}`},
		}},
		script.Rule{Method: "completion/complete", Do: []script.Step{
			{Result: `{"completion":{"values":["` + name + `"],"total":1.0 },"heard":${params}}`},
		}})
}

// completes asks for completions, with these further members of the parameters.
func completes(host Host, ref, members string, meta ...string) Message {
	GinkgoHelper()
	return host.Request("completion/complete", host.Params(`"ref":`+ref+`,"argument":{"name":"name","value":"x"}`+members, meta...))
}

var _ = Describe("Completing what the user types", func() {
	BetweenEras(func(ofHost, ofServer Era) {
		It("asks the server of a prompt, with the server's name for it", func() {
			a, b := Scripted("a", ofServer.Script(completer("a"))), Scripted("b", ofServer.Script(completer("b")))
			host := ofHost.Connect(`{}`, a, b)
			name := promptNames(host)[3]

			answer := completes(host, `{ "type":"ref/prompt","title":"é","name":`+Quote(name)+` }`,
				`,"context":{"arguments":{"a":"b"}}`, `"traceparent":"t"`)

			Expect(string(answer.Result)).To(And(
				ContainSubstring(`"completion":{"values":["b"],"total":1.0 },"heard":{"ref":{ "type":"ref/prompt","title":"é","name":"odd b" },`+
					`"argument":{"name":"name","value":"x"},"context":{"arguments":{"a":"b"}},"_meta":{`),
				ContainSubstring(`"traceparent":"t"`)))
			Expect(a.ReceivedWith("completion/complete")).To(BeEmpty())
		})
	})
})
