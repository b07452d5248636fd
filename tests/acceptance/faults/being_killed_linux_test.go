package faults_test

import (
	"path/filepath"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A workbench that is killed", func() {
	It("leaves nothing behind, not even a process that ignores everything and left the group", Label("L04"), func() {
		stubborn := WithTools("read")
		stubborn.Start = []script.Step{{Spawn: "stubborn"}}
		stubborn.IgnoreTerm = true
		stubborn.End = []script.Step{{Hang: true}}
		path := filepath.Join(GinkgoT().TempDir(), "script.json")
		Expect(stubborn.Save(path)).To(Succeed())
		line := "setsid sleep 600 & " + ScriptedServer() + " -script " + path + "; true"
		w := Serve(InDev(
			Scripted("stubborn", stubborn),
			Program("shell", "sh", `"args": ["-c", `+Quote(line)+`]`),
		))
		Expect(w.Open("dev").Connected).To(Equal(2))
		Eventually(w.Servers).WithTimeout(Patience).Should(HaveLen(6))

		w.Signal(syscall.SIGKILL)

		Expect(w.ExitCode()).To(Equal(-1))
		Eventually(w.Processes).WithTimeout(Patience).Should(BeEmpty())
	})
})
