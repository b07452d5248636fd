package windows_test

import (
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
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

// runningProcesses returns the numbers of those that run.
func runningProcesses(processes []process) func() []uint32 {
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
			Expect(len(runningProcesses(tree)())).To(BeNumerically(">=", 5), "two servers, a child each, and cmd.exe")

			end(w)

			w.ExitCode() // the system chooses that of a program that is killed
			Eventually(runningProcesses(tree)).WithTimeout(Patience).Should(BeEmpty())
		},
		Entry("when its input ends", func(w *Workbench) { Expect(w.End()).To(Equal(0)) }),
		Entry("when it is killed", func(w *Workbench) { w.Signal(os.Kill) }),
		Entry("when taskkill ends it", func(w *Workbench) {
			Expect(exec.Command("taskkill", "/f", "/pid", strconv.Itoa(w.PID())).Run()).To(Succeed())
		}),
	)
})

// telling is a server whose tool answers with the arguments of its program.
var telling = script.Script{
	Tools: []string{script.Tool("arguments")},
	Rules: []script.Rule{{Method: "tools/call", Do: []script.Step{{Argv: true}}}},
}

// arguments is the setting args.
func arguments(args ...string) string {
	GinkgoHelper()
	text := spec.Must(json.Marshal(args))
	return `"args":` + string(text)
}

// received returns the last arguments of the only server of a toolbox.
func received(server Server, count int) []string {
	GinkgoHelper()
	w := Serve(NewToolbox("dev", server))
	Expect(w.Open("dev").Errors).To(BeEmpty())
	var args []string
	Expect(json.Unmarshal([]byte(w.Use("dev", server.Name, "arguments", "{}").Text()), &args)).To(Succeed())
	Expect(len(args)).To(BeNumerically(">=", count))
	return args[len(args)-count:]
}

var _ = Describe("A server behind a batch file", func() {
	It("gets every argument whole, and runs none of them", func() {
		canary := filepath.Join(GinkgoT().TempDir(), "canary")
		odd := []string{
			"plain", "", "a b", "x&echo y>" + canary, "x|y", "<in", ">" + canary, "^a", "!a!", "(a)", "a=b,c;d", `C:\a b\`, `a\\b`, "é", "'", "`id`", "*",
		}

		Expect(received(batchOf("batch", telling, arguments(odd...)), len(odd))).To(Equal(odd))

		Expect(canary).NotTo(BeAnExistingFile())
	})

	DescribeTable("is not started with an argument that no quoting protects",
		func(argument, why string) {
			w := Serve(NewToolbox("dev", batchOf("batch", telling, arguments("fine", argument))))

			Expect(w.Call("open_toolbox", `{"toolbox":"dev"}`).Failure()).To(ContainSubstring("argument 2 contains " + why))
		},
		Entry("a variable", "100%PATH%", "a percent sign"),
		Entry("a quote before a command", `b c"&echo injected`, "a double quote"),
		Entry("a line break", "a\nb", "a line break"),
	)

	It("is started by Node when the batch file is npx, with any argument", func() {
		folder := GinkgoT().TempDir()
		bin := filepath.Join(folder, "node_modules", "npm", "bin")
		Expect(os.MkdirAll(bin, 0o700)).To(Succeed())
		node := spec.Must(os.ReadFile(ScriptedServer()))
		Expect(os.WriteFile(filepath.Join(folder, "node.exe"), node, 0o700)).To(Succeed())
		Expect(os.WriteFile(filepath.Join(folder, "npx.cmd"), []byte("@exit 7\r\n"), 0o600)).To(Succeed())
		Expect(telling.Save(filepath.Join(bin, "npx-cli.js"))).To(Succeed())
		odd := []string{"-y", "server", "100%PATH%", `b c"&echo injected`, "a\nb"}

		Expect(received(Program("npx", "npx", `"env":{"PATH":`+Quote(folder)+`}`, arguments(odd...)), len(odd))).To(Equal(odd))
	})
})

var _ = Describe("A session on Windows", func() {
	It("works from the first message to the last, as the demo shows", func() {
		outcome := Run(Launch{Args: []string{"demo"}})

		Expect(outcome.Code).To(Equal(0), "%s%s", outcome.Stdout, outcome.Stderr)
		Expect(outcome.Stdout).To(ContainSubstring("open_toolbox"))
		Expect(outcome.Stdout).To(ContainSubstring("use_tool"))
	})
})

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
