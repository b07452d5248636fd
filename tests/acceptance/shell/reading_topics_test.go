package shell_test

import (
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Reading a help topic", func() {
	It("shows a list of its sections, and single sections", func() {
		topic := Run(Launch{Args: []string{"help", "configuration"}})
		Expect(topic.Code).To(BeZero())
		Expect(topic.Stdout).To(And(HavePrefix("# Configuration\n\nSections, for 'mcp-workbench help configuration SECTION':\n"), ContainSubstring("\n- Limits\n")))

		section := Run(Launch{Args: []string{"help", "configuration", "limits"}})
		Expect(section.Code).To(BeZero())
		Expect(section.Stdout).To(HavePrefix("## Limits\n"))
		Expect(topic.Stdout).To(ContainSubstring(section.Stdout))
	})

	It("shows it in the pager of the user if it is longer than the terminal", func() {
		NeedsTerminal()
		directory := GinkgoT().TempDir()
		pager := filepath.Join(directory, "pager")
		Expect(os.WriteFile(pager, []byte("#!/bin/sh\nsed 's/^/paged: /'\n"), 0o700)).To(Succeed())
		help := func(pager string, words ...string) string {
			outcome := RunInTerminal(Launch{Args: append([]string{"help"}, words...), Env: []string{"PAGER=" + pager}})
			Expect(outcome.Code).To(BeZero(), outcome.Stdout)
			return outcome.Stdout
		}

		Expect(help(pager, "configuration")).To(And(HavePrefix("paged: # Configuration\n"), ContainSubstring("paged: ## Limits\n")))
		Expect(help(pager, "configuration", "patterns of tools")).To(HavePrefix("## Patterns of tools\n"), "it fits the terminal")
		for _, none := range []string{"", "cat", filepath.Join(directory, "missing")} {
			Expect(help(none, "configuration")).To(HavePrefix("# Configuration\n"), "PAGER=%s", none)
		}
	})
})
