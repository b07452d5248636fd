package shell_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("The program without a command", func() {
	It("says in a terminal that it waits for a host, and what to try", func() {
		NeedsTerminal()
		terminal := OnTerminal(Launch{Config: `{"toolboxes": {}}`}, 80, nil)
		terminal.AwaitShown("this is an MCP server. It waits for a host on standard input")
		terminal.AwaitShown("mcp-workbench init")
		terminal.AwaitShown("mcp-workbench demo")
		terminal.Type("\x03")
		Expect(terminal.End()).To(Equal(0))
	})

	It("does not say that to a host", func() {
		outcome := Run(Launch{Config: `{"toolboxes": {}}`})
		Expect(outcome.Stdout).To(BeEmpty())
		Expect(outcome.Stderr).NotTo(ContainSubstring("waits"))
	})
})
