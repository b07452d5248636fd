package opening_test

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// defining returns a server that lists raw definitions, and answers with the name
// in the call.
func defining(definitions ...string) script.Script {
	return script.Script{Tools: definitions, Rules: []script.Rule{
		{Method: "tools/call", Do: []script.Step{{Result: `{"content":[],"called":${name}}`}}},
	}}
}

var _ = Describe("A registered tool", func() {
	for _, e := range Eras {
		It("has its server's definition except for name and description, for a host of "+e.Name, func() {
			const rest = `"title":"T","x":9007199254740993,"inputSchema":{"type":"object", "a":1.0},"outputSchema":{"type":"object","b":1e2},` +
				`"annotations":{"readOnlyHint":true,"odd":"odd"},"icons":[{"src":"data:,"}],"execution":{"taskSupport":"optional"},"_meta":{"k":null}}`
			host := ConnectDynamic(e, InDev(Scripted("files", defining(`{"name":"read","description":"Reads.",`+rest))))
			host.Open("dev")

			Expect(string(host.Tools()[3])).To(Equal(`{"name":"dev__files_read","description":"[dev/files] Reads.",` + rest))
		})
	}

	It("has results that fit its output schema, in the server's bytes", func() {
		s := defining(`{"name":"sum","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"n":{"type":"number"}}}}`)
		const result = `{"content":[{"type":"text","text":"{\"n\":1.0}"}],"structuredContent":{"n":1.0},"_meta":{"x":9007199254740993}}`
		s.Rules = []script.Rule{script.Answer("sum", result)}
		host := ConnectDynamic(Older, InDev(Scripted("files", s)))
		host.Open("dev")

		Expect(string(host.Tool("dev__files_sum", `{}`).Result)).To(Equal(result))
	})

	It("has another, legal name if its server's name is not legal, and its server gets the original one", func() {
		long := strings.Repeat("long", 20)
		odd := []string{"read file", "größe", "a/b", long, "esc\x1b[31maped"}
		definitions := make([]string, len(odd))
		for i, name := range odd {
			definitions[i] = script.Tool(name)
		}
		host := ConnectDynamic(Older, InDev(Scripted("files", defining(definitions...))))

		names := host.Open("dev").RegisteredNames()

		Expect(host.ToolNames()).To(Equal(WithOwnTools(names...)))
		Expect(names[3]).To(HavePrefix("dev__files_longlong"))
		Expect(names[4]).To(HavePrefix("dev__files_escaped_"))
		for i, name := range names {
			Expect(name).To(MatchRegexp(`^[a-zA-Z0-9_-]{1,46}$`))
			Expect(string(host.Tool(name, `{}`).Result)).To(MatchJSON(fmt.Sprintf(`{"content":[],"called":%s}`, Quote(odd[i]))))
		}
		again := ConnectDynamic(Older, InDev(Scripted("files", defining(definitions...))))
		Expect(again.Open("dev").RegisteredNames()).To(Equal(names), "each time the same")
	})

	It("keeps its name when another tool would get the same one, with a warning", func() {
		// The second tool has the name that the first one gets.
		const taken = "read-file_772bfc55"
		server := Scripted("files", defining(script.Tool("read file"), script.Tool(taken)))
		host := ConnectDynamic(Older, InDev(server))

		opened := host.Open("dev")

		Expect(opened.RegisteredNames()).To(Equal([]string{"dev__files_" + taken, ""}))
		Expect(opened.Warnings).To(ContainElement("Server 'files': tool '" + taken + "' is not registered, since another tool " +
			"has the name 'dev__files_" + taken + "'; call it through use_tool"))
		Expect(host.ToolNames()).To(Equal(WithOwnTools("dev__files_" + taken)))
		Expect(string(host.Tool("dev__files_"+taken, `{}`).Result)).To(ContainSubstring(`"read file"`))
		Expect(string(host.Use("dev", "files", taken, `{}`).Result)).To(ContainSubstring(`"` + taken + `"`))
	})

	It("passes trace context on, and its calls are logged like those of use_tool", func() {
		server := Scripted("files", WithTools("read"))
		w := Start(Launch{
			Config: strings.Replace(DynamicConfiguration(InDev(server)), "{", `{"logPayloads": true, "logLevel": "info",`, 1),
		})
		host := Connect(w, false, `{}`)
		host.Open("dev")

		host.Tool("dev__files_read", `{"path":"secret plan"}`, `"traceparent":"00-1-2-01"`)

		Expect(server.ReceivedWith("tools/call")).To(ConsistOf(ContainSubstring(`"_meta":{"traceparent":"00-1-2-01"}`)))
		Expect(host.End()).To(Equal(0))
		Expect(w.Stderr()).To(MatchRegexp(`a call" (session=\S+ )?toolbox=dev server=files tool=read arguments=.*secret plan`))
	})
})
