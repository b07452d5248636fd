package hosts_test

import (
	"os"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("The demo", func() {
	It("prints what the README shows", func() {
		readme, err := os.ReadFile("../../../README.md")
		Expect(err).NotTo(HaveOccurred())

		outcome := Run(Launch{Args: []string{"demo"}})

		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(string(readme)).To(ContainSubstring("```text\n" + strings.Trim(outcome.Stdout, "\n") + "\n```\n"))
	})
})
