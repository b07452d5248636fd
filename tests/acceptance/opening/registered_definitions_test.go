package opening_test

import (
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
