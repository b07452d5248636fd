package approvals_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A pattern in confirm that names no tool", Label("K09"), func() {
	const (
		atRoot = `"confirm" names 'delte_*', which matches no tool; did you mean 'delete_all'?`
		atGit  = `"confirm" names 'fiels/delete_all', which matches no tool; did you mean 'files/delete_all'?`
	)

	for _, e := range Eras {
		It("is named in the answer of open_toolbox and on stderr, with the nearest name: "+e.Name, func() {
			host := reading(e, `"confirm":["delte_*","read"]`, Scripted("files", WithTools("read", "delete_all")))

			Expect(host.Open("dev").Warnings).To(ConsistOf("the configuration has a mistake, for the user to correct: " + atRoot))

			Eventually(host.Stderr).Should(ContainSubstring("key=confirm pattern=delte_* toolbox=\"\" server=\"\" nearest=[delete_all]"))
		})
	}

	It("is named by validate if the lock says which tools exist", func() {
		p := NewPinnedFiles(WithDefinitions(script.Tool("read"), script.Tool("delete_all")), `"confirm":["delte_*"]`)
		Expect(p.Run("validate").Stdout).NotTo(ContainSubstring("delte"), "the tools are not known")
		Expect(p.Run("lock").Code).To(Equal(0))

		outcome := p.Run("validate")

		Expect(outcome.Code).To(Equal(0))
		Expect(outcome.Stdout).To(HavePrefix("warning: " + p.Config + ": confirm: " + atRoot + "\n"))
	})

	It("is found by doctor, which starts the servers", func() {
		p := NewPinnedFiles(WithDefinitions(script.Tool("read"), script.Tool("delete_all")), `"confirm":["delte_*","re*","fiels/delete_all"],"readTool":true`)

		outcome := p.Run("doctor")

		Expect(outcome.Code).To(Equal(1))
		Expect(outcome.Stdout).To(ContainSubstring("D023 confirm: " + atRoot + "\n     correct it: "))
		Expect(outcome.Stdout).To(ContainSubstring("D023 confirm: " + atGit + "\n     correct it: "))
		Expect(strings.Count(outcome.Stdout, "D023")).To(Equal(2))
	})
})
