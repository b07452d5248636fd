package shell_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("The end of a call from the shell", func() {
	answering := func(result string) Server {
		GinkgoHelper()
		s := WithTools("read")
		s.Rules = []script.Rule{script.Answer("read", result)}
		return Scripted("files", s)
	}

	It("has exit code 1 when the answer is over the limit, since the server was reached", func() {
		server := answering(script.Text(strings.Repeat("x", 100_000)))
		server.Settings = append(server.Settings, `"limits": {"messageSize": "64KiB"}`)

		outcome := callOutcome(server, "dev/files/read")

		Expect(outcome.Code).To(Equal(1))
		Expect(outcome.Stderr).To(ContainSubstring("over the limit of 65536 bytes (limits.messageSize raises it)"))
	})

	It("is silent when the result is no longer read", func() {
		if runtime.GOOS == "windows" {
			Skip("pipes there have no signal for it")
		}
		reader, writer, err := os.Pipe()
		Expect(err).NotTo(HaveOccurred())
		Expect(reader.Close()).To(Succeed())
		defer writer.Close()
		path := filepath.Join(GinkgoT().TempDir(), "c.json")
		WriteFile(path, Configuration(InDev(answering(script.Text("x")))))
		command := exec.Command(BuiltWorkbench(), "--config", path, "call", "dev/files/read")
		command.Env = append(os.Environ(), "HOME="+GinkgoT().TempDir())
		var stderr strings.Builder
		command.Stdout, command.Stderr = writer, &stderr

		_ = command.Run() // the exit code says how it ended

		Expect(command.ProcessState.ExitCode()).To(Or(Equal(141), Equal(-1)), "by itself, or by the signal")
		Expect(stderr.String()).NotTo(ContainSubstring("broken pipe"))
	})
})
