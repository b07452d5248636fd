package using_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// taskAndResourceScript returns an echoScript that also makes tasks, and has a resource that its tool
// touch changes.
func taskAndResourceScript(gate string) script.Script {
	s := waitingScript(gate)
	s.Capabilities = `{"tools":{},"resources":{"subscribe":true},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}`
	s.Tools = append(s.Tools, script.Tool("touch"), `{"name":"build","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}}`)
	updated := script.Step{Line: `{"jsonrpc":"2.0","method":"` + updates + `","params":{"uri":"a://own"}}`}
	s.Rules = append([]script.Rule{
		{Method: "tools/call", Tool: "touch", Do: []script.Step{updated, {Result: script.Text("done")}}},
		script.Answer("build", `{"task":{"taskId":"t","status":"working","ttl":60000}}`),
		{Method: "tasks/get", Do: []script.Step{{Result: `{"taskId":"t","status":"working"}`}}},
		{Method: "resources/list", Do: []script.Step{{Result: `{"resources":[{"uri":"a://own","name":"own"}]}`}}},
		{Method: "resources/read", Do: []script.Step{{Result: `{"contents":[{"uri":"a://own","text":"mine"}]}`}}},
		{Method: "resources/subscribe", Do: []script.Step{{Result: `{}`}}},
		{Method: "resources/unsubscribe", Do: []script.Step{{Result: `{}`}}},
	}, s.Rules...)
	return s
}

var _ = Describe("A server that hosts with different tokens share", Label("M10"), func() {
	const (
		ofOne, ofOther, ofOutsider = "token-of-one-that-is-long", "token-of-another-that-is-long", "token-of-an-outsider-that-is-long"

		tokens = `{"tokens": {
			"one": {"value": "` + ofOne + `", "toolboxes": ["dev"]},
			"other": {"value": "` + ofOther + `", "toolboxes": ["*"]},
			"outsider": {"value": "` + ofOutsider + `", "toolboxes": ["ops"]}
		}}`
	)
	// hosts are equal in everything but their tokens.
	listen := func(server Server) *Workbench {
		GinkgoHelper()
		ops := NewToolbox("ops", Scripted("other", WithTools("read")))
		return Listen(Launch{Config: WithHTTP(tokens, InDev(server), ops)})
	}

	for _, e := range Eras {
		It("does not exist for a host of "+e.Name+" whose token does not see its toolbox", func() {
			server := Older.Server(taskAndResourceScript(""), Shared)
			w := listen(server)
			a, outsider := Connect(w.AnotherHostWith(ofOne), e.Modern, "{}"), Connect(w.AnotherHostWith(ofOutsider), e.Modern, "{}")
			a.Open("dev")
			beginTask(a, "files")
			before := len(server.Received())

			open := outsider.Request("tools/call", outsider.Params(`"name":"open_toolbox","arguments":{"toolbox":"dev"}`))
			Expect(open.Failure()).To(ContainSubstring("not found"))
			Expect(outsider.Use("dev", "files", "echo", "{}").Failure()).NotTo(ContainSubstring("got"))
			Expect(outsider.Request("tasks/get", outsider.Params(`"taskId":"t"`)).Code()).To(Equal(-32602))
			Expect(outsider.Request("resources/list", outsider.Params("")).Line).NotTo(ContainSubstring("a://own"))
			Expect(outsider.Request("resources/read", outsider.Params(`"uri":"a://own"`)).Line).NotTo(ContainSubstring("mine"))
			Expect(outsider.Request("tools/list", outsider.Params("")).Line).To(ContainSubstring(`"enum":["ops"]`))
			Expect(outsider.Open("ops").Names()).To(Equal([]string{"read"}))

			Expect(server.Received()).To(HaveLen(before))
		})
	}
})
