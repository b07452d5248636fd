//go:build unix

package http_test

import (
	"path/filepath"
	"strings"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("SIGHUP to a workbench that listens", func() {
	It("reloads the configuration, and ends nothing", func() {
		configuration := filepath.Join(GinkgoT().TempDir(), "c.json")
		WriteFile(configuration, Configuration(InDev(Scripted("files", WithTools("read")))))
		l := listen(Launch{Args: []string{"--config", configuration}})
		for n := 1; n <= 3; n++ {
			l.Signal(syscall.SIGHUP)
			Eventually(func() int { return strings.Count(l.Stderr(), "read again: no toolbox changed") }).WithTimeout(Patience).Should(Equal(n))
		}

		Expect(l.ask("GET", l.root+"/readyz", "").StatusCode).To(Equal(200))
	})

	It("ends it when it comes from a terminal that was closed", func() {
		configuration := filepath.Join(GinkgoT().TempDir(), "c.json")
		WriteFile(configuration, Configuration(InDev(Scripted("files", WithTools("read")))))
		terminal := OnTerminal(Launch{Args: []string{"serve", "--http", "127.0.0.1:0", "--config", configuration}}, 80, nil)
		terminal.AwaitShown("listening on ")

		terminal.HangUp()

		Expect(terminal.End()).To(Equal(0))
	})
})
