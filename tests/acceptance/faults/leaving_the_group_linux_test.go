package faults_test

import (
	"path/filepath"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A process that a server started in a session of its own, and whose parents are gone", Label("L16"), func() {
	// open opens a toolbox whose server started a daemon before it began to serve.
	open := func() *Workbench {
		GinkgoHelper()
		server := WithTools("die")
		server.Rules = []script.Rule{{Method: "tools/call", Do: []script.Step{{Exit: 3}}}}
		path := filepath.Join(GinkgoT().TempDir(), "script.json")
		Expect(server.Save(path)).To(Succeed())
		line := "(setsid sleep 600 >&- 2>&- <&- &); exec " + ScriptedServer() + " -script " + path
		w := Serve(InDev(Program("s", "sh", `"args": ["-c", `+Quote(line)+`]`)))
		Expect(w.Open("dev").Connected).To(Equal(1))
		Eventually(w.Servers).WithTimeout(Patience).Should(HaveLen(2))
		return w
	}

	It("ends with a workbench that is killed", func() {
		w := open()

		w.Signal(syscall.SIGKILL)

		Expect(w.ExitCode()).To(Equal(-1))
		Eventually(w.Processes).WithTimeout(Patience).Should(BeEmpty())
	})

	It("ends with a workbench that ends", func() {
		w := open()

		w.CloseInput()

		Expect(w.ExitCode()).To(Equal(0))
		Expect(w.Processes()).To(BeEmpty())
	})

	It("ends with a server that crashes", func() {
		w := open()

		w.Use("dev", "s", "die", "{}")

		Eventually(w.Servers).WithTimeout(Patience).Should(BeEmpty())
	})
})
