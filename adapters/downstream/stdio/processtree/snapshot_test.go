//go:build linux || darwin

package processtree_test

import (
	"os"
	"os/exec"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/stdio/processtree"
	"mcp-workbench/tests/spec"
)

var _ = Describe("The processes on this machine", func() {
	It("are listed with parent, group and session", func() {
		list := spec.Must(processtree.Snapshot())
		self, found := list.Find(os.Getpid())

		Expect(found).To(BeTrue())
		Expect(self.Parent).To(Equal(os.Getppid()))
		Expect(self.Group).To(Equal(syscall.Getpgrp()))
		Expect(self.Started).NotTo(BeZero())
	})

	It("are signalled only if they are still the same processes", func() {
		command := exec.Command("sleep", "60")
		Expect(command.Start()).To(Succeed())
		DeferCleanup(func() { _ = command.Process.Kill() })
		meant := spec.Must(processtree.Look(command.Process.Pid))
		other := meant
		other.Started--

		processtree.List{other}.Signal(syscall.SIGKILL)
		processtree.List{meant}.Signal(syscall.SIGTERM)

		Expect(command.Wait()).To(MatchError("signal: terminated"))
	})
})
