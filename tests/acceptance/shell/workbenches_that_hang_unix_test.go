//go:build unix

package shell_test

import (
	"os"
	"syscall"

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

var _ = Describe("A workbench that hangs", func() {
	It("is named by restart and logs, since it may have the server too", func() {
		variable, sockets := runtimeFolder()
		serve := func() *Workbench {
			w := Start(Launch{Config: Configuration(InDev(Scripted("files", WithTools("read")))), Env: []string{variable}})
			w.Initialize()
			w.Open("dev")
			return w
		}
		serve()
		hung := serve()
		awaitListening(sockets, 2)
		hung.Signal(syscall.SIGSTOP)
		DeferCleanup(func() { hung.Signal(syscall.SIGCONT) })
		ask := func(args ...string) Outcome { return Run(Launch{Args: args, Env: []string{variable}}) }

		outcome := ask("restart", "dev/files")
		Expect(outcome.Code).To(Equal(1))
		Expect(outcome.Stderr).To(ContainSubstring("restarted dev/files for 1 host\n"))
		Expect(outcome.Stderr).To(MatchRegexp(`workbench \d+ may have dev/files too: it did not answer within a second`))

		outcome = ask("logs", "dev/files")
		Expect(outcome.Code).To(Equal(0))
		Expect(outcome.Stderr).To(ContainSubstring("may have dev/files too"))
	})
})
