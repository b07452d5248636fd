//go:build unix

package hosts_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

// pipe creates a named pipe without a writer in place of a file.
func pipe(path string) string {
	GinkgoHelper()
	Expect(os.MkdirAll(filepath.Dir(path), 0o700)).To(Succeed())
	Expect(os.RemoveAll(path)).To(Succeed())
	Expect(syscall.Mkfifo(path, 0o600)).To(Succeed())
	return path
}

var _ = Describe("A pipe in place of a file", Label("TS01"), func() {
	const (
		reason = "it is a pipe, not a regular file"
		lock   = ".config/mcp-workbench/workbench.lock.json"
	)
	var home HomeFolder
	BeforeEach(func() {
		home = NewHomeFolder()
		home.File(OwnConfiguration, Configuration(NewToolbox("code", Scripted("git", WithTools("commit")))))
	})
	run := func(args string) Outcome {
		GinkgoHelper()
		return home.Run(strings.Fields(strings.ReplaceAll(args, "HOME", string(home)))...)
	}

	DescribeTable("ends the command with the reason", func(place string, code int, commands ...string) {
		path := pipe(home.Path(place))
		for _, command := range commands {
			outcome := run(command)

			Expect(outcome.Code).To(Equal(code), "%s: %s%s", command, outcome.Stdout, outcome.Stderr)
			Expect(outcome.Stdout+outcome.Stderr).To(And(ContainSubstring(path), ContainSubstring(reason)), command)
		}
	},
		Entry("the configuration",
			OwnConfiguration, 3, "serve --strict", "validate", "list", "list code", "call code/git/commit", "lock", "lock --check"),
		Entry("the configuration, for commands that change it",
			OwnConfiguration, 1, "add web https://host/mcp", "remove git", "import HOME/none.json --yes"),
		Entry("the lock", lock, 1, "lock", "lock --check"),
		Entry("the file of a host", ".cursor/mcp.json", 1, "connect cursor --yes", "disconnect cursor --yes", "import cursor --yes"),
		Entry("the key of a certificate",
			"tls.key", 1, "serve --http 127.0.0.1:0 --tls-cert HOME/"+OwnConfiguration+" --tls-key HOME/tls.key"),
	)

	It("is named to the host that opens a toolbox if it is the lock", func() {
		path := pipe(home.Path(lock))
		w := Start(home.Launch())
		w.Initialize()

		Expect(w.Open("code").Warnings).To(ContainElement(And(ContainSubstring(filepath.Base(path)), ContainSubstring(reason))))
	})

	It("costs only remembered state if it is in the state folder", func() {
		run("list code")
		kept, err := filepath.Glob(home.Path(".local/state/mcp-workbench/listings/*.json"))
		Expect(err).NotTo(HaveOccurred())
		Expect(kept).NotTo(BeEmpty())
		for _, path := range kept {
			pipe(path)
		}

		Expect(run("list code").Stdout).To(ContainSubstring("commit"))
		Expect(run("__complete call code/git/").Code).To(Equal(0))
	})

	It("is read as the configuration if it is a descriptor that the program was started with", func() {
		configuration := home.Content(OwnConfiguration)
		Expect(os.Remove(home.Path(OwnConfiguration))).To(Succeed())
		launch := home.Launch("list", "code", "--config", "/dev/stdin")
		launch.Input = configuration

		Expect(Run(launch).Stdout).To(ContainSubstring("commit"))
	})
})
