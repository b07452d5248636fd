//go:build unix

package shell_test

import (
	"os"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("The sockets of workbenches", func() {
	It("are not looked for where another user could put them", func() {
		variable, sockets := runtimeFolder()
		Expect(os.Mkdir(sockets, 0o700)).To(Succeed())
		Expect(os.Chmod(sockets, 0o777)).To(Succeed())

		outcome := Run(Launch{Args: []string{"status"}, Env: []string{variable}})

		Expect(outcome.Stderr).To(ContainSubstring("others can enter " + sockets))
		Expect(outcome.Code).To(Equal(0))
	})
})
