package hosts_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/hosts/model"
)

// confirmingAccount returns an account in which each call of echo needs approval.
func confirmingAccount() account {
	GinkgoHelper()
	d := accountWith(seven).recording()
	d.write("workbench-config.json", strings.Replace(d.read("workbench-config.json"), "{", `{"confirm": ["echo"],`, 1))
	return d
}

// answersWith makes Claude Code answer elicitations with a hook instead of asking its user.
func (d account) answersWith(action, content string) account {
	GinkgoHelper()
	output := `{"hookSpecificOutput":{"hookEventName":"Elicitation","action":` + quote(action) + `,"content":` + content + `}}`
	d.write("elicitation.json", output)
	d.write(".claude/settings.json", `{"hooks":{"Elicitation":[{"hooks":[{"type":"command","command":`+quote("cat '"+d.path("elicitation.json")+"'")+`}]}]}}`)
	return d
}

// asked returns the lines with which the workbench asked the host.
func (d account) asked() []string {
	GinkgoHelper()
	var lines []string
	for line := range strings.Lines(d.read("to-host")) {
		if strings.Contains(line, `"method":"elicitation/create"`) {
			lines = append(lines, line)
		}
	}
	return lines
}

var _ = Describe("A call that needs approval, in a host", func() {
	calls := func() []model.Call { return []model.Call{open("memory"), use("memory", "echo")} }
	const notCalled = "Tool 'echo' in server 'scripted' (toolbox 'memory') was not called: "

	It("is made when the user says yes: Claude Code", func(ctx SpecContext) {
		d := confirmingAccount().answersWith("accept", `{"decision":"yes, once"}`)

		c := claudeCode.converse(ctx, d, calls())

		Expect(c.results).To(HaveLen(2))
		Expect(c.results[1]).To(ContainSubstring("It says: hello"))
		Expect(d.asked()).To(HaveExactElements(ContainSubstring(`Tool: \"echo\"`)))
	})

	It("is not made when the user says no: Claude Code", func(ctx SpecContext) {
		d := confirmingAccount().answersWith("accept", `{"decision":"no"}`)

		c := claudeCode.converse(ctx, d, calls())

		Expect(c.results).To(HaveExactElements(ContainSubstring("echo"), ContainSubstring(notCalled+"the user did not allow this call.")))
		Expect(d.asked()).To(HaveLen(1))
	})

	It("is not made without a user: Claude Code", func(ctx SpecContext) {
		d := confirmingAccount()

		c := claudeCode.converse(ctx, d, calls())

		Expect(c.results).To(HaveExactElements(ContainSubstring("echo"), ContainSubstring(notCalled+"it needs the user's approval, and got no answer.")))
		Expect(d.asked()).To(HaveLen(1))
	})

	for _, h := range []host{codex, copilot} {
		It("is not made when the host declines for its user: "+h.name, func(ctx SpecContext) {
			d := confirmingAccount()

			c := h.converse(ctx, d, calls())

			Expect(c.results).To(HaveExactElements(ContainSubstring("echo"), ContainSubstring(notCalled+"the user did not allow this call.")))
			Expect(d.asked()).To(HaveLen(1))
		})
	}

	for _, h := range []host{openCode, qwenCode, continueCLI} {
		It("is refused by a host without forms: "+h.name, func(ctx SpecContext) {
			d := confirmingAccount()

			c := h.converse(ctx, d, calls())

			Expect(c.results).To(HaveExactElements(ContainSubstring("echo"), ContainSubstring("this host shows no forms to ask for it (elicitation)")))
			Expect(d.asked()).To(BeEmpty())
		})
	}
})
