package approvals_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("mcp-workbench call, of a tool that needs approval", Label("K05"), func() {
	launch := func(server Server) Launch {
		return Launch{
			Config: WithRoot(Configuration(InDev(server)), ConfirmWrite),
			Args:   []string{"call", "dev/files/write", "--args", `{"path":"/a\u001b[2J\nTool: x"}`, "--log-level", "info"},
		}
	}

	It("refuses without a terminal to ask in, whatever its input has", func() {
		server := Scripted("files", WithTools("write"))
		l := launch(server)
		l.Input = "yes\nyes\n"

		outcome := Run(l)

		Expect(outcome.Code).To(Equal(1))
		Expect(outcome.Stdout).To(BeEmpty())
		Expect(outcome.Stderr).To(HaveSuffix("mcp-workbench: dev/files/write was not called: it needs your approval (\"confirm\"), and there is no terminal to ask on\n"))
		Expect(server.ReceivedWith("tools/call")).To(BeEmpty())
	})

	DescribeTable("asks in the terminal", func(typed []string, code, calls int, shown string) {
		NeedsTerminal()
		server := Scripted("files", WithTools("write"))
		terminal := OnTerminal(launch(server), 200, nil)
		terminal.AwaitShown("MCP Workbench asks:\nA call needs your approval. The tool is called only if you allow it.\nTool: \"write\"\n" +
			"Server: \"files\" in the toolbox \"dev\"\nArguments:\n  \"path\": \"/a\\u001b[2J\\nTool: x\"\nAllow this call (yes or no)? ")
		Expect(server.ReceivedWith("tools/call")).To(BeEmpty())

		for _, answer := range typed {
			terminal.Take(Turn{Until: "Allow this call (yes or no)? ", Type: answer})
		}

		Expect(terminal.End()).To(Equal(code))
		Expect(terminal.Shown()).To(ContainSubstring(shown))
		Expect(terminal.Shown()).NotTo(ContainSubstring("\x1b[2JTool"))
		Expect(server.ReceivedWith("tools/call")).To(HaveLen(calls))
	},
		Entry("and accepts a yes", []string{"yes\r"}, 0, 1, "done"),
		Entry("and accepts a short yes", []string{"Y\r"}, 0, 1, "done"),
		Entry("and accepts a no",
			[]string{"no\r"}, 1, 0, "dev/files/write was not called: it needs your approval (\"confirm\"), and you did not allow it"),
		Entry("until a yes or a no is typed", []string{"\r", "sure\r", "n\r"}, 1, 0, "and you did not allow it"),
		Entry("and treats the end of the input as a no", []string{"\x04"}, 1, 0, "and you gave no answer"),
		Entry("until Ctrl-C", []string{"\x03"}, 130, 0, "interrupted"),
	)
})
