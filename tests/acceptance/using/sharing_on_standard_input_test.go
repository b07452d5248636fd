package using_test

import (
	"os"
	"path/filepath"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A server that a host on standard input shares with one over HTTP", Label("M10"), func() {
	BetweenHosts(func(local, remote Era) {
		It("is one process, which the end of standard input does not end", func() {
			gate := filepath.Join(GinkgoT().TempDir(), "gate")
			server := Older.Server(taskAndResourceScript(gate), Shared)
			w := ListenToo(Launch{Config: Configuration(InDev(server))})
			a, b := Connect(w, local.Modern, "{}"), Connect(w.AnotherHost(), remote.Modern, "{}")
			a.Open("dev")
			b.Open("dev")
			process := processOf(a)
			Expect(processOf(b)).To(Equal(process))
			followResource(a, "a://own")
			Eventually(server.ReceivedWith).WithArguments("resources/subscribe").WithTimeout(Patience).Should(HaveLen(1))
			hanging := b.BeginUse("dev", "files", "wait", `{"of":"b"}`, `"progressToken":"p"`)
			b.AwaitSent("notifications/progress", 1)

			a.CloseInput()

			Eventually(server.ReceivedWith).WithArguments("resources/unsubscribe").WithTimeout(Patience).Should(HaveLen(1), "all of the host ends")
			Expect(processOf(b)).To(Equal(process))
			Expect(os.WriteFile(gate, nil, 0o600)).To(Succeed())
			Expect(string(b.Await(hanging).Result)).To(ContainSubstring(`"got":{"of":"b"}`))
			Expect(server.Starts()).To(Equal(1))
			w.Signal(syscall.SIGTERM)
			Expect(w.ExitCode()).To(Equal(0))
		})
	})
})
