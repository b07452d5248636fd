package using_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A server that lists what the protocol forbids", Label("S24"), func() {
	It("costs hosts that check lists no entry of its own or of another server", func() {
		SkipOverHTTP("tools of open toolboxes are registered over HTTP too, by the same code")
		bad := withFirstRules(WithTools(),
			promptListRule(`{"prompts":[{"name":"p","description":null,"arguments":null}]}`))
		bad.Capabilities = `{"tools":{},"prompts":{},"resources":{}}`
		bad.Tools = []string{
			`{"name":"a","inputSchema":{"type":"object","properties":{},"required":null}}`, `{"name":"b","inputSchema":null,"annotations":null}`,
			`{"name":"c","inputSchema":{"anyOf":[{"type":"object"}]},"outputSchema":{"type":"array"}}`,
		}
		w := Start(Launch{Config: WithRoot(Configuration(InDev(Scripted("bad", bad), Scripted("good", promptScript("good")))), `"toolMode": "dynamic"`)})
		host := Connect(w, false, `{}`)
		opened := host.Open("dev")

		var listed []string
		for _, tool := range host.Tools()[len(WithOwnTools()):] {
			listed = append(listed, string(tool))
		}
		Expect(listed).To(HaveExactElements(
			MatchJSON(`{"name":"dev__bad_a","description":"[dev/bad]","inputSchema":{"type":"object","properties":{}}}`),
			MatchJSON(`{"name":"dev__bad_b","description":"[dev/bad]","inputSchema":{"type":"object"}}`),
			MatchJSON(`{"name":"dev__bad_c","description":"[dev/bad]","inputSchema":{"type":"object","anyOf":[{"type":"object"}]}}`),
			ContainSubstring(`"dev__good_read"`),
		))
		Expect(opened.JSON).To(ContainSubstring(`"inputSchema":{"type":"object","properties":{},"required":null}`), "the answer has the server's bytes")
		Expect(string(host.Request("prompts/list", host.Params("")).Result)).To(And(
			HavePrefix(`{"prompts":[{"name":"dev__bad_p"},`), ContainSubstring(`"dev__good_review"`)))
	})
})
