package shell_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Finding tools in the shell", Label("section 20"), func() {
	tools := WithDefinitions(DescribedTool("read_file", "Reads a file. It must exist."), DescribedTool("drop_table", "Deletes a table."))

	It("shows the tools of the last lists that match words best, and starts nothing", func() {
		p := NewPinnedFiles(tools)
		outcome := p.Run("list", "--find", "what to read")
		Expect(outcome.Code).To(Equal(0))
		Expect(outcome.Stdout).To(BeEmpty())
		Expect(outcome.Stderr).To(HaveSuffix("mcp-workbench: no tool was found\n" +
			"mcp-workbench: tools that were never listed are not found: 'mcp-workbench list TOOLBOX' lists those of dev\n"))

		Expect(p.Run("list", "dev").Code).To(Equal(0))
		p.ServerIs(WithTools("started_again"))

		outcome = p.Run("list", "--find", "what to read")
		Expect(outcome.Stdout).To(Equal("dev/files/read_file\tReads a file.\n"))
		Expect(p.Run("list", "--find", "removing tables", "--json").Stdout).To(MatchJSON(
			`{"found":[{"tool":"dev/files/drop_table","toolbox":"dev","summary":"Deletes a table."}]}`))
	})

	It("finds toolboxes that were never opened by their descriptions", func() {
		office := NewToolbox("office", Scripted("papers", tools))
		office.Description = "Documents of all kinds"

		Expect(Run(Launch{Config: Configuration(office), Args: []string{"list", "--find", "a document"}}).Stdout).To(
			Equal("office/\tDocuments of all kinds\n"))
	})

	It("refuses words together with a name", func() {
		outcome := NewPinnedFiles(tools).Run("list", "dev", "--find", "file")
		Expect(outcome.Code).To(Equal(2))
		Expect(outcome.Stderr).To(ContainSubstring("--find searches every toolbox; leave out the name"))
	})
})
