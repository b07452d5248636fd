package windows_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A session on Windows", func() {
	It("works from the first message to the last, as the demo shows", func() {
		outcome := Run(Launch{Args: []string{"demo"}})

		Expect(outcome.Code).To(Equal(0), "%s%s", outcome.Stdout, outcome.Stderr)
		Expect(outcome.Stdout).To(ContainSubstring("open_toolbox"))
		Expect(outcome.Stdout).To(ContainSubstring("use_tool"))
	})
})
