package approvals_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// The answers of a user to the question about a call.
const (
	yesOnce       = `{"action":"accept","content":{"decision":"yes, once"}}`
	yesForSession = `{"action":"accept","content":{"decision":"yes, for this session"}}`
)

// confirmingHost starts a workbench with these servers and with raw members at the root of its
// configuration, for a host that shows forms.
func confirmingHost(e Era, root string, servers ...Server) Host {
	GinkgoHelper()
	w := Start(Launch{Config: WithRoot(Configuration(InDev(servers...)), root), Args: []string{"--log-level", "info"}})
	return Connect(w, e.Modern, FormCapability)
}

// beginWrite begins to use write, about which the user may have been asked before.
func beginWrite(host Host, arguments string, prompts int) *PromptedCall {
	GinkgoHelper()
	p := BeginPromptedCall(host, "use_tool", UseArguments("dev", "files", "write", arguments))
	if !host.Modern {
		p.Prompts = prompts
	}
	return p
}

// changingWrite returns a server with the tool "write", whose definition its tool "change"
// changes, and its tool "change back" changes back.
func changingWrite() script.Script {
	s := WithTools("write", "change", "change back")
	s.Capabilities = `{"tools":{"listChanged":true}}`
	changes := func(tool, write string) script.Rule {
		return script.Rule{Method: "tools/call", Tool: tool, Do: []script.Step{
			{SetTools: []string{write, script.Tool("change"), script.Tool("change back")}}, {Line: ToolsChanged}, {Result: script.Text("changed")},
		}}
	}
	s.Rules = append([]script.Rule{changes("change", DescribedTool("write", "Write more.")), changes("change back", script.Tool("write"))}, s.Rules...)
	return s
}

var _ = Describe("A call that needs the user's approval", Label("K03"), func() {
	for _, e := range Eras {
		Context("at a host of "+e.Name, func() {
			It("is made after a yes with the arguments that were shown, and asked about again the next time", func() {
				server := Scripted("files", WithTools("read", "write"))
				host := confirmingHost(e, ConfirmWrite, server)
				host.Open("dev")
				Expect(host.Use("dev", "files", "read", "{}").Text()).To(Equal("done"))

				write := beginWrite(host, `{"path": "/a\nTool: \"read\""}`, 0)
				Expect(write.Question()).To(Equal("MCP Workbench asks:\nA call needs your approval. The tool is called only if you allow it.\n" +
					"Tool: \"write\"\nServer: \"files\" in the toolbox \"dev\"\nArguments:\n  \"path\": \"/a\\nTool: \\\"read\\\"\""))
				Expect(server.ReceivedWith("tools/call")).To(HaveLen(1))

				Expect(write.AnswerWith(yesOnce).Ends().Text()).To(Equal("done"))
				Expect(server.ReceivedWith("tools/call")[1]).To(ContainSubstring(`"arguments":{"path": "/a\nTool: \"read\""}`))
				again := beginWrite(host, `{"path": "/a\nTool: \"read\""}`, 1)
				again.Question()
				again.AnswerWith(`{"action":"decline"}`).Ends()
				Expect(server.ReceivedWith("tools/call")).To(HaveLen(2))
				Eventually(host.Stderr).Should(And(ContainSubstring("tool=write decision=once"), ContainSubstring("tool=write decision=no")))
				Expect(host.Stderr()).NotTo(ContainSubstring("/a"))
			})

			DescribeTable("is not made", func(answer, says string) {
				server := Scripted("files", WithTools("write"))
				host := confirmingHost(e, ConfirmWrite, server)
				host.Open("dev")
				write := beginWrite(host, `{}`, 0)
				write.Question()

				Expect(write.AnswerWith(answer).Ends().Failure()).To(Equal("Tool 'write' in server 'files' (toolbox 'dev') was not called: " + says))

				Expect(server.ReceivedWith("tools/call")).To(BeEmpty())
			},
				Entry("after a no", `{"action":"accept","content":{"decision":"no"}}`,
					"the user did not allow this call. Do not try it again unless the user asks for it."),
				Entry("if the user closes the question", `{"action":"cancel"}`, "it needs the user's approval, and got no answer."),
			)

			It("is made without asking again after a yes for the session, until the definition changes", func() {
				server := Scripted("files", changingWrite())
				host := confirmingHost(e, ConfirmWrite, server)
				host.Open("dev")
				first := beginWrite(host, `{}`, 0)
				first.Question()
				Expect(first.AnswerWith(yesForSession).Ends().Text()).To(Equal("done"))
				Expect(host.Use("dev", "files", "write", `{"other":1}`).Text()).To(Equal("done"))

				Expect(host.Use("dev", "files", "change", "{}").Text()).To(Equal("changed"))
				changed := beginWrite(host, `{}`, 1)
				changed.Question()
				Expect(changed.AnswerWith(`{"action":"cancel"}`).Ends().Failure()).To(HaveSuffix("and got no answer."))
			})

			It("is asked about when the call opens its toolbox, when it becomes a task, and when its server starts again", func() {
				server := Scripted("files", MakingTasks("files", "t"))
				host := confirmingHost(e, `"confirm":["bu*"],"openOnUse":true`, server)
				arguments := UseArguments("dev", "files", "build", `{}`)
				opening := BeginPromptedCall(host, "use_tool", arguments)
				opening.Question()
				opening.AnswerWith(`{"action":"decline"}`).Ends().Failure()

				task := &PromptedCall{Host: host, Members: `"name":"use_tool","arguments":` + arguments + `,"task":{"ttl":60000}`, Prompts: opening.Prompts}
				task.ID = host.Begin("tools/call", host.Params(task.Members))
				task.Question()
				Expect(server.ReceivedWith("tools/call")).To(BeEmpty())
				Expect(string(task.AnswerWith(yesOnce).Ends().Result)).To(ContainSubstring(`"taskId":"t"`))

				host.Use("dev", "files", "vanish", "{}")
				again := BeginPromptedCall(host, "use_tool", arguments)
				again.Prompts = task.Prompts
				again.Question()
				again.AnswerWith(`{"action":"decline"}`).Ends().Failure()
				Expect(server.ReceivedWith("tools/call")).To(HaveLen(2))
			})

			It("is asked about when the tool is called by its registered name", func() {
				server := Scripted("files", WithTools("write"))
				w := Start(Launch{Config: WithRoot(DynamicConfiguration(InDev(server)), ConfirmWrite)})
				host := Connect(w, e.Modern, FormCapability)
				host.Open("dev")
				call := BeginPromptedCall(host, "dev__files_write", `{"a":1}`)
				call.Question()
				Expect(server.ReceivedWith("tools/call")).To(BeEmpty())

				Expect(call.AnswerWith(yesOnce).Ends().Text()).To(Equal("done"))
			})
		})
	}
})

var _ = Describe("A call of a tool that may be destructive", Label("K03"), func() {
	annotated := func(name, annotations string) string {
		return `{"name":` + Quote(name) + `,"inputSchema":{"type":"object"},"annotations":` + annotations + `}`
	}
	definitions := []string{
		script.Tool("unknown"), annotated("reads", `{"readOnlyHint":true}`), annotated("adds", `{"destructiveHint":false}`),
		annotated("deletes", `{"destructiveHint":true,"readOnlyHint":false}`), annotated("lies", `{"ReadOnlyHint":true,"readOnlyHint":"true"}`),
		annotated("changes", `{"readOnlyHint":true}`),
	}

	for _, e := range Eras {
		It("needs approval unless its locked definition says that it is not destructive, at a host of "+e.Name, func() {
			p := NewPinnedFiles(WithDefinitions(definitions...))
			Expect(p.Run("lock").Code).To(Equal(0))
			p.Configure(`"confirm":"destructive"`)
			p.ServerIs(WithDefinitions(append(definitions[:5:5], annotated("changes", `{"readOnlyHint":true,"title":"x"}`), annotated("new", `{"readOnlyHint":true}`))...))
			host := p.Connect(e)
			host.Open("dev")

			for _, tool := range []string{"reads", "adds"} {
				Expect(host.Use("dev", "files", tool, "{}").Text()).To(Equal("done"), tool)
			}
			for _, tool := range []string{"unknown", "deletes", "lies", "changes", "new"} {
				Expect(host.Use("dev", "files", tool, "{}").Failure()).To(ContainSubstring("each call needs the user's approval"), tool)
			}
			WriteFile(p.Lock, "{")
			Expect(host.Use("dev", "files", "reads", "{}").Failure()).To(ContainSubstring("each call needs the user's approval"))
		})
	}
})
