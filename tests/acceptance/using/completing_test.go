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
})
