package windows_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"unsafe"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"golang.org/x/sys/windows"

	"mcp-workbench/tests/fixtures/script"
	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

// process is a process that can be told from a later one with its number, by a handle.
type process struct {
	number uint32
	handle windows.Handle
}

func (p process) runs() bool {
	event, err := windows.WaitForSingleObject(p.handle, 0)
	return err == nil && event == uint32(windows.WAIT_TIMEOUT)
}

// descendants returns the processes that a process has started, and what those have.
func descendants(parent uint32) []process {
	GinkgoHelper()
	snapshot := spec.Must(windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0))
	defer windows.CloseHandle(snapshot)
	var found []process
	entry := windows.ProcessEntry32{Size: uint32(unsafe.Sizeof(windows.ProcessEntry32{}))}
	for err := windows.Process32First(snapshot, &entry); err == nil; err = windows.Process32Next(snapshot, &entry) {
		if entry.ParentProcessID != parent || entry.ProcessID == parent {
			continue
		}
		handle := spec.Must(windows.OpenProcess(windows.SYNCHRONIZE, false, entry.ProcessID))
		DeferCleanup(windows.CloseHandle, handle)
		found = append(found, process{number: entry.ProcessID, handle: handle})
		found = append(found, descendants(entry.ProcessID)...)
	}
	return found
}

// running returns the numbers of those that run.
func running(processes []process) func() []uint32 {
	return func() []uint32 {
		var numbers []uint32
		for _, p := range processes {
			if p.runs() {
				numbers = append(numbers, p.number)
			}
		}
		return numbers
	}
}

// stubborn is a server that does not end with its input, and has a child.
var stubborn = script.Script{
	Tools: []string{script.Tool("read")},
	Start: []script.Step{{Spawn: "stubborn"}},
	End:   []script.Step{{Hang: true}},
}

// batchOf returns a server behind a batch file that passes its arguments on.
func batchOf(name string, s script.Script, settings ...string) Server {
	GinkgoHelper()
	folder := filepath.Join(GinkgoT().TempDir(), "with a space")
	Expect(os.Mkdir(folder, 0o700)).To(Succeed())
	play := filepath.Join(folder, "script.json")
	Expect(s.Save(play)).To(Succeed())
	text := "@\"" + ScriptedServer() + "\" -script \"" + play + "\" -- %*\r\n"
	batch := filepath.Join(folder, "server.cmd")
	Expect(os.WriteFile(batch, []byte(text), 0o600)).To(Succeed())
	return Program(name, batch, settings...)
}

var _ = Describe("Servers on Windows that ignore the end of their input, with all that they started,", func() {
	DescribeTable("end with the workbench",
		func(end func(w *Workbench)) {
			w := Serve(NewToolbox("dev", Scripted("direct", stubborn), batchOf("batch", stubborn)))
			Expect(w.Open("dev").Connected).To(Equal(2))
			tree := descendants(uint32(w.PID()))
			Expect(len(running(tree)())).To(BeNumerically(">=", 5), "two servers, a child each, and cmd.exe")

			end(w)

			w.ExitCode() // the system chooses that of a program that is killed
			Eventually(running(tree)).WithTimeout(Patience).Should(BeEmpty())
		},
		Entry("when its input ends", func(w *Workbench) { Expect(w.End()).To(Equal(0)) }),
		Entry("when it is killed", func(w *Workbench) { w.Signal(os.Kill) }),
		Entry("when taskkill ends it", func(w *Workbench) {
			Expect(exec.Command("taskkill", "/f", "/pid", strconv.Itoa(w.PID())).Run()).To(Succeed())
		}),
	)
})
