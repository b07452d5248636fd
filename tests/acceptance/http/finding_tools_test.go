package http_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A caller that searches over HTTP", func() {
	const ciToken, allToken = "token-of-the-ci-that-is-long", "token-for-all-that-is-long"
	const tokens = `{"tokens": {
		"ci": {"value": "` + ciToken + `", "toolboxes": ["build"]}, "all": {"value": "` + allToken + `", "toolboxes": ["*"]}
	}}`

	for _, era := range Eras {
		It("finds only the tools of its toolboxes, in "+era.Name, Label("section 20"), func() {
			echo := script.Script{Tools: []string{script.Tool("echo")}, Rules: []script.Rule{script.Answer("echo", script.Text("from afar"))}}
			l := listen(Launch{
				Config: WithHTTP(tokens, NewToolbox("build", Scripted("make", echo)), NewToolbox("concealed", Scripted("vault", echo))),
				Env:    []string{"WORKBENCH_FIND_TOOL=true"},
			})
			find := func(c *caller, words string) string {
				return c.request("tools/call", `"name":"find_tool","arguments":{"query":`+Quote(words)+`}`).text
			}

			operator, _ := l.as(era, allToken)
			Expect(find(operator, "vault")).To(ContainSubstring("toolbox concealed"))
			operator.open("build")
			operator.open("concealed")
			Expect(find(operator, "echo")).To(And(ContainSubstring("build/make/echo"), ContainSubstring("concealed/vault/echo")))
			ci, _ := l.as(era, ciToken)
			Expect(find(ci, "echo")).To(And(ContainSubstring("build/make/echo"), Not(ContainSubstring("vault"))))
			Expect(find(ci, "vault concealed")).To(And(ContainSubstring("No tool was found"), Not(ContainSubstring("vault"))))
			Expect(ci.use("build", "make", "echo").text).To(ContainSubstring("from afar"))
		})
	}
})
