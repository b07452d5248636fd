package windows_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("The status on Windows", func() {
	// hasSockets reports whether the system has Unix sockets: Wine 8 has none.
	hasSockets := func() bool {
		GinkgoHelper()
		folder := spec.Must(os.MkdirTemp("", "rt"))
		DeferCleanup(os.RemoveAll, folder)
		probe, err := net.Listen("unix", filepath.Join(folder, "probe"))
		if err == nil {
			Expect(probe.Close()).To(Succeed())
		}
		return err == nil
	}

	It("is of running workbenches, or says why there is none, and costs no call", func() {
		state := spec.Must(os.MkdirTemp("", "st"))
		DeferCleanup(os.RemoveAll, state)
		env := []string{"LOCALAPPDATA=" + state}
		read := script.Script{Tools: []string{script.Tool("read")}, Rules: []script.Rule{script.Answer("read", script.Text("done"))}}
		host := Connect(Start(Launch{Config: Configuration(InDev(Scripted("files", read))), Args: []string{"--log-level", "debug"}, Env: env}), false, "{}")
		host.Open("dev")
		Expect(string(host.Use("dev", "files", "read", "{}").Result)).To(ContainSubstring("done"))
		ask := func(words ...string) Outcome { return Run(Launch{Args: words, Env: env}) }

		if hasSockets() {
			Eventually(func() string { return ask("status").Stdout }).WithTimeout(Patience).Should(ContainSubstring("\tdev/files\trunning\t"))
			Expect(ask("restart", "dev/files").Code).To(Equal(0))
			return
		}
		Eventually(host.Stderr).WithTimeout(Patience).Should(ContainSubstring("'mcp-workbench status' cannot ask this workbench"))
		const why = "this system has no Unix sockets"
		Expect(ask("status")).To(And(HaveField("Code", 0), HaveField("Stderr", ContainSubstring(why)), HaveField("Stderr", Not(ContainSubstring("no workbench is running")))))
		Expect(ask("restart", "dev/files")).To(And(HaveField("Code", 1), HaveField("Stderr", ContainSubstring(why))))
		Expect(ask("logs", "dev/files")).To(And(HaveField("Code", 1), HaveField("Stderr", ContainSubstring(why))))
		Expect(strings.TrimSpace(ask("status", "--json").Stdout)).To(Equal(`{"workbenches":[]}`))
		Eventually(func() string { return ask("calls", "--json").Stdout }).WithTimeout(Patience).Should(ContainSubstring(`"tool":"read","outcome":"ok"`))
		Expect(ask("usage").Stdout).To(ContainSubstring("dev/files/read\t1\t"))
	})
})
