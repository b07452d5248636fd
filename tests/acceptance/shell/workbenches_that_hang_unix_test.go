//go:build unix

package shell_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A workbench that was stopped", func() {
	It("is named, and the others are shown", func() {
		variable, sockets := runtimeFolder()
		stopped, running := Start(Launch{Config: Configuration(InDev()), Env: []string{variable}}), Start(Launch{Config: Configuration(InDev()), Env: []string{variable}})
		awaitListening(sockets, 2)
		stopped.Signal(syscall.SIGSTOP)
		defer stopped.Signal(syscall.SIGCONT)

		shown := shownBy(variable)

		Expect(shown).To(HaveExactElements(
			And(HaveField("PID", running.PID()), HaveField("Problem", "")),
			And(HaveField("PID", stopped.PID()), HaveField("Problem", ContainSubstring("did not answer within a second"))),
		))
		outcome := Run(Launch{Args: []string{"restart", "dev/files"}, Env: []string{variable}})
		Expect(outcome).To(And(HaveField("Code", 1), HaveField("Stderr", ContainSubstring("did not answer within a second"))))
	})
})

var _ = Describe("The sockets of workbenches", func() {
	It("are in the state folder if the runtime folder cannot be used, and in the folder for temporary files if paths are too long", func() {
		short, err := os.MkdirTemp("", "st")
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(os.RemoveAll, short)
		runtime, state, temporary := filepath.Join(short, strings.Repeat("r", 100)), filepath.Join(short, "s"), filepath.Join(short, "t")
		for _, folder := range []string{runtime, state, temporary} {
			Expect(os.Mkdir(folder, 0o700)).To(Succeed())
		}
		for _, home := range []string{state, runtime} {
			env := []string{"XDG_RUNTIME_DIR=" + runtime, "XDG_STATE_HOME=" + home, "HOME=" + home, "TMPDIR=" + temporary}
			w := Start(Launch{Config: Configuration(InDev()), Env: env})
			Eventually(func() string { return Run(Launch{Args: []string{"status"}, Env: env}).Stdout }).WithTimeout(Patience).Should(ContainSubstring("\t"))
			w.CloseInput()
			w.ExitCode()
		}
	})

	It("are not looked for where another user could put them", func() {
		variable, sockets := runtimeFolder()
		Expect(os.Mkdir(sockets, 0o700)).To(Succeed())
		Expect(os.Chmod(sockets, 0o777)).To(Succeed())

		outcome := Run(Launch{Args: []string{"status"}, Env: []string{variable}})

		Expect(outcome.Stderr).To(ContainSubstring("others can enter " + sockets))
		Expect(outcome.Code).To(Equal(0))
	})
})
