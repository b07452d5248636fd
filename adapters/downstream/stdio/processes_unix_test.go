//go:build unix

package stdio_test

import (
	"os"
	"path/filepath"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gbytes"

	"mcp-workbench/domain"
	"mcp-workbench/tests/contract"
	"mcp-workbench/tests/fixtures/script"
)

// kill ends a process if it still runs.
func kill(pid int) { _ = syscall.Kill(pid, syscall.SIGKILL) }

// exists reports whether there is such a process that was not reaped.
func exists(pid int) bool { return syscall.Kill(pid, 0) == nil }

// program makes an executable file that runs the scripted server.
func program(directory, name string) string {
	GinkgoHelper()
	path := filepath.Join(directory, name)
	Expect(os.MkdirAll(directory, 0o700)).To(Succeed())
	Expect(os.Symlink(scriptedServer, path)).To(Succeed())
	return path
}

var _ = It("A server that a signal ended is lost for that reason", func() {
	Expect(lost(connect(playing(scriptOf(script.Step{Kill: 9}), nil)))).To(Equal("the server ended by signal 9 (killed)"))
})

var _ = Describe("A server that a launcher started on its own pipes", Label("L17"), func() {
	// launched returns a server behind a shell that runs a line once the server was started.
	launched := func(s script.Script, line string) domain.Server {
		GinkgoHelper()
		path := filepath.Join(GinkgoT().TempDir(), "script.json")
		Expect(s.Save(path)).To(Succeed())
		return serverOf(settings{"command": "sh", "args": []string{"-c", `exec 3<&0; "$@" <&3 3<&- & exec 3<&-; ` + line, "sh", scriptedServer, "-script", path}})
	}

	It("is used after the launcher ended, until its pipes end", func() {
		folder := GinkgoT().TempDir()
		gate, asked := filepath.Join(folder, "gate"), filepath.Join(folder, "asked")
		s := scriptOf(script.Step{Result: script.Text("${pid}")})
		s.Rules[0].Once = true
		s.Rules = append(s.Rules, script.Rule{Method: "tools/call", Do: []script.Step{{Result: script.Text("${pid}")}, {Exit: 3}}},
			script.Rule{Method: "ping", Do: []script.Step{{Result: "{}"}, {Touch: asked}}})
		session := connect(launched(s, `while [ ! -e '`+gate+`' ]; do sleep 0.01; done`))
		Expect(os.WriteFile(gate, nil, 0o600)).To(Succeed())
		Eventually(asked).WithTimeout(patience).Should(BeAnExistingFile(), "whether it still answers")

		first := use(session)

		Expect(use(session)).To(Equal(first))
		Eventually(session.Done()).WithTimeout(patience).Should(BeClosed())
		Expect(session.Err()).To(MatchError(ContainSubstring("the server exited")))
	})

	It("is used if the launcher ended before the handshake", func() {
		gate := filepath.Join(GinkgoT().TempDir(), "gate")
		s := scriptOf(script.Step{Result: script.Text("here")})
		s.Start = []script.Step{{AwaitFile: gate}}

		session := connect(launched(s, `(sleep 0.5; : >'`+gate+`') >&- &`))

		Expect(use(session)).To(Equal("here"))
	})

	It("is lost if nothing answers any more", func() {
		session := connect(launched(script.Script{Rules: []script.Rule{
			{Method: "tools/call", Do: []script.Step{{Spawn: "sleep"}, {Exit: script.ExitZero}}},
		}}, "wait"))

		Expect(lost(session)).To(Equal("the server exited"))
	})
})

var _ = It("A client of a container that had to be killed leaves a line about the container", func() {
	folder := GinkgoT().TempDir()
	client, path := filepath.Join(folder, "docker"), filepath.Join(folder, "script.json")
	Expect(os.WriteFile(client, []byte("#!/bin/sh\nshift\nexec '"+scriptedServer+"' \"$@\"\n"), 0o700)).To(Succeed()) //nolint:gosec // it is a program
	Expect(script.Script{IgnoreTerm: true, End: []script.Step{{Hang: true}}}.Save(path)).To(Succeed())
	logged := gbytes.NewBuffer()
	session, err := loggingTo(logged).Connect(ctxWith(patience), serverOf(settings{"command": client, "args": []string{"run", "-script", path}}), contract.DeafHost{}, contract.OpenPolicy{})
	Expect(err).NotTo(HaveOccurred())

	Expect(session.Close(ctxWith(500 * time.Millisecond))).To(Succeed())

	Expect(string(logged.Contents())).To(ContainSubstring("the container that it started may still run"))
})

var _ = DescribeTable("A file that is not a program is refused",
	func(command, why string) {
		directory := GinkgoT().TempDir()
		Expect(os.WriteFile(filepath.Join(directory, "text"), []byte("x"), 0o600)).To(Succeed())
		Expect(os.WriteFile(filepath.Join(directory, "garbage"), []byte("\x00\x01"), 0o700)).To(Succeed())

		Expect(whyNot(serverOf(settings{"command": command, "cwd": directory}))).To(Equal(why))
	},
	Entry("when it is not executable", "./text", "command './text' is not executable"),
	Entry("when the kernel does not know its format", "./garbage", "command './garbage' cannot be started: exec format error"),
	Entry("when its path leads through a file", "./text/x", "command './text/x' cannot be used: not a directory"),
)
