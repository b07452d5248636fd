//go:build unix

package stdio_test

import (
	"os"
	"path/filepath"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

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
	Expect(lost(connect(playing(doing(script.Step{Kill: 9}), nil)))).To(Equal("the server ended by signal 9 (killed)"))
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
