package using_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

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

// mute is a completer without completions.
func mute(name string) script.Script {
	s := completer(name)
	s.Capabilities = `{"tools":{},"prompts":{},"resources":{}}`
	return s
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

		It("asks the server that lists a template", func() {
			a, b := Scripted("a", ofServer.Script(completer("a"))), Scripted("b", ofServer.Script(completer("b")))
			host := ofHost.Connect(`{}`, a, b)

			for uri, server := range map[string]string{"b://{id}": "b", "a://{id}": "a", "all://{id}": "a"} {
				answer := completes(host, `{"type":"ref/resource","uri":`+Quote(uri)+`}`, "")
				Expect(string(answer.Result)).To(ContainSubstring(`"completion":{"values":["`+server+`"],`), uri)
			}
			Expect(a.ReceivedWith("resources/templates/list")).To(HaveLen(1), "they are known from then on")
		})
	})

	DescribeTable("refuses a reference to nothing that exists", Label("S19"), func(ref string) {
		server := Scripted("a", mute("a"))
		host := Older.Connect(`{}`, server)

		Expect(completes(host, ref, "").Code()).To(Equal(-32602))
		Expect(server.ReceivedWith("completion/complete")).To(BeEmpty())
	},
		Entry("an unknown prompt",
			`{"type":"ref/prompt","name":"x"}`), Entry("an unknown template",
			`{"type":"ref/resource","uri":"x://{id}"}`))

	It("ends with the request that asked", func() {
		server := Scripted("a", withFirstRules(completer("a"), script.Rule{Method: "completion/complete", Do: []script.Step{{Stderr: "thinking"}}}))
		host := Older.Connect(`{}`, server)

		id := host.Begin("completion/complete", `{"ref":{"type":"ref/prompt","name":"dev__a_review"},"argument":{"name":"code","value":""}}`)
		Eventually(func() []string { return server.ReceivedWith("completion/complete") }).WithTimeout(Patience).Should(HaveLen(1))
		host.Cancel(id)

		Eventually(func() []string { return server.ReceivedWith("notifications/cancelled") }).WithTimeout(Patience).Should(HaveLen(1))
		Expect(RequestIDs(server.ReceivedWith("notifications/cancelled"))).To(Equal(RequestIDs(server.ReceivedWith("completion/complete"))))
	})
})
