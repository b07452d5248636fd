package stdio_test

import (
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"golang.org/x/sys/windows"
)

// kill ends a process if it still runs.
func kill(pid int) {
	if process, err := os.FindProcess(pid); err == nil {
		_ = process.Kill()
		_ = process.Release()
	}
}

// exists reports whether there is such a process that has not ended.
func exists(pid int) bool {
	process, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(pid))
	if err != nil {
		return false
	}
	defer func() { _ = windows.CloseHandle(process) }()
	event, err := windows.WaitForSingleObject(process, 0)
	return err == nil && event == uint32(windows.WAIT_TIMEOUT)
}

// program makes an executable file that runs the scripted server.
func program(directory, name string) string {
	GinkgoHelper()
	path := filepath.Join(directory, name+".exe")
	Expect(os.MkdirAll(directory, 0o700)).To(Succeed())
	content, err := os.ReadFile(scriptedServer)
	Expect(err).NotTo(HaveOccurred())
	Expect(os.WriteFile(path, content, 0o700)).To(Succeed())
	return path
}

var _ = DescribeTable("A file that is not a program is refused",
	func(command, why string) {
		directory := GinkgoT().TempDir()
		for _, name := range []string{"plain", "text.exe", "text.js"} {
			Expect(os.WriteFile(filepath.Join(directory, name), []byte("x"), 0o600)).To(Succeed())
		}
		GinkgoT().Setenv("PATHEXT", ".COM;.EXE;.BAT;.CMD")

		Expect(whyNot(serverOf(settings{"command": command, "cwd": directory}))).To(Equal(why))
	},
	Entry("when its name has no extension", ".\\plain", "command '.\\plain' is not a program: Windows starts files by their extension, one of .COM;.EXE;.BAT;.CMD"),
	Entry("when Windows does not know its format", ".\\text.exe", "command '.\\text.exe' cannot be started: it is not a Windows program; name the program that runs it as the command"),
	Entry("when it is a script", ".\\text.js", "command '.\\text.js' cannot be started: it is not a Windows program; name the program that runs it as the command"),
)
