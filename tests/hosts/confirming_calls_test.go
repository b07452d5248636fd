package hosts_test

import (
	"context"
	"encoding/json"
	"os"
	"regexp"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/hosts/model"
	"mcp-workbench/tests/spec"
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

// approvalsTopicPath is the help topic whose rules the specs try.
const approvalsTopicPath = "../../cmd/mcp-workbench/help/approvals.md"

// ruleFor returns the rule that the help topic tells the user to write for a host.
func ruleFor(host string) string {
	GinkgoHelper()
	topic := spec.Must(os.ReadFile(approvalsTopicPath))
	block := regexp.MustCompile("(?s)\n### " + regexp.QuoteMeta(host) + "\n.*?```[a-z]+\n(.*?)```").FindSubmatch(topic)
	Expect(block).NotTo(BeNil(), "the help topic has no rule for %s", host)
	return string(block[1])
}

// careful hosts ask about the tools of servers, and can be run without a user.
var careful = []struct {
	name string
	// converse lets the host connect and make the calls, with the rule in force.
	converse func(ctx context.Context, d account, rule string, calls []model.Call) conversation
	// refuses is the text that the model gets when the user would be asked, "" for a host that
	// does not show it such a tool or ends then.
	refuses string
}{
	{"Claude Code", func(ctx context.Context, d account, rule string, calls []model.Call) conversation {
		m := model.Start(calls...)
		defer m.Close()
		_, line, _ := strings.Cut(strings.TrimSpace(d.lines("Claude Code")), " ")
		d.run(ctx, claudeCode.program, strings.Fields(line))
		d.write(".claude/settings.json", rule)
		d.run(ctx, claudeCode.program, []string{"-p", prompt, "--model", "claude-sonnet-4-5"},
			"ANTHROPIC_BASE_URL="+m.URL(), "ANTHROPIC_API_KEY=none", "DISABLE_AUTOUPDATER=1",
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1")
		return modelConversation(m)
	}, "you haven't granted it yet"},
	{"Codex", func(ctx context.Context, d account, rule string, calls []model.Call) conversation {
		for i := range calls {
			calls[i].Namespace = "mcp__workbench"
		}
		m := model.Start(calls...)
		defer m.Close()
		d.write(codexFile, codexModel(m)+d.lines("Codex")+rule)
		d.run(ctx, codex.program, []string{"exec", "--skip-git-repo-check", prompt})
		return modelConversation(m)
	}, "requires approval"},
	{"Gemini CLI", func(ctx context.Context, d account, rule string, calls []model.Call) conversation {
		m := model.Start(calls...)
		defer m.Close()
		var settings map[string]any
		Expect(json.Unmarshal([]byte(d.lines("Gemini CLI")), &settings)).To(Succeed())
		settings["security"] = map[string]any{"auth": map[string]any{"selectedType": "gemini-api-key"}}
		settings["general"] = map[string]any{"enableAutoUpdate": false}
		settings["privacy"] = map[string]any{"usageStatisticsEnabled": false}
		text := spec.Must(json.Marshal(settings))
		d.write(".gemini/settings.json", string(text))
		d.write(".gemini/policies/workbench.toml", rule)
		d.run(ctx, geminiCLI.program, []string{"-p", prompt, "-m", "gemini-2.5-flash"},
			"GEMINI_API_KEY=none", "GOOGLE_GEMINI_BASE_URL="+m.URL(), "GEMINI_CLI_TRUST_WORKSPACE=true")
		return modelConversation(m)
	}, ""},
	{"opencode", func(ctx context.Context, d account, rule string, calls []model.Call) conversation {
		m := model.Start(calls...)
		defer m.Close()
		d.write(".config/opencode/opencode.json", d.lines("opencode"))
		d.write("provider.json", `{"autoupdate": false, "share": "disabled", "model": "stand-in/model",
			"small_model": "stand-in/model", "provider": {"stand-in": {"npm": "@ai-sdk/openai-compatible", "name": "Stand-in",
			"options": {"baseURL": "`+m.URL()+`/v1", "apiKey": "none"}, "models": {"model": {"name": "Model"}}}},`+
			strings.TrimSpace(rule)[1:])
		d.run(ctx, openCode.program, []string{"run", prompt},
			"OPENCODE_CONFIG="+d.path("provider.json"), "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_AUTOUPDATE=1",
			"OPENCODE_DISABLE_LSP_DOWNLOAD=1", "OPENCODE_DISABLE_DEFAULT_PLUGINS=1")
		return modelConversation(m)
	}, ""},
}

var _ = Describe("With a rule of the host for read_tool", func() {
	read := func(toolbox, tool string) model.Call {
		call := use(toolbox, tool)
		call.Tool = "read_tool"
		return call
	}
	for _, h := range careful {
		It("read_tool needs no approval, and use_tool still does: "+h.name, func(ctx SpecContext) {
			d := accountWith(seven)
			d.write("workbench-config.json", `{"readTool": true, "readOnly": ["echo"],`+d.read("workbench-config.json")[1:])

			c := h.converse(ctx, d, ruleFor(h.name), []model.Call{
				open("memory"), read("memory", "echo"), read("memory", "echo"), read("memory", "ask"), use("memory", "echo"),
			})

			Expect(len(c.results)).To(BeNumerically(">=", 4))
			Expect(c.results[0]).To(ContainSubstring(`"read_tool":{"scripted":["echo"]}`))
			Expect(c.results[1]).To(ContainSubstring("It says: hello"))
			Expect(c.results[2]).To(ContainSubstring("It says: hello"))
			Expect(c.results[3]).To(ContainSubstring("cannot be called with read_tool: it is not one of the tools that only read"))
			if h.refuses != "" {
				Expect(c.results[4:]).To(HaveExactElements(ContainSubstring(h.refuses)))
			}
			Expect(strings.Count(d.read("journal"), `"method":"tools/call"`)).To(Equal(2), "what is asked about is not called")
			Eventually(d.processes).WithTimeout(patience).Should(BeEmpty())
		})
	}
})
