package hosts_test

import (
	"os"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("The demo", func() {
	It("begins with the output in the README, and leaves nothing behind", func() {
		readme, err := os.ReadFile("../../../README.md")
		Expect(err).NotTo(HaveOccurred())

		home := GinkgoT().TempDir()
		outcome := Run(Launch{Args: []string{"demo"}, Dir: home})

		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		_, section, _ := strings.Cut(string(readme), "\n## See it work\n")
		_, shown, _ := strings.Cut(section, "```text\n")
		shown, _, _ = strings.Cut(shown, "```\n")
		Expect(shown).To(ContainSubstring("2. The host sees two tools"))
		Expect(strings.TrimLeft(outcome.Stdout, "\n")).To(HavePrefix(shown))
		Expect(os.ReadDir(home)).To(BeEmpty())
	})

	It("is wrapped between words in a narrow terminal", func() {
		terminal := OnTerminal(Launch{Args: []string{"demo"}, Dir: GinkgoT().TempDir()}, 40, nil)

		terminal.AwaitShown("reads\n  which toolboxes exist. No server is\n  running yet.")
		Expect(terminal.End()).To(Equal(0))
	})
})
