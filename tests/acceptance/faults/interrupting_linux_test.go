package faults_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Ending servers as a terminal and a shell see it", func() {
	It("lets servers exit on their own when the whole group of the workbench is interrupted", Label("L03"), func() {
		directory := GinkgoT().TempDir()
		var servers []Server
		var farewells []string
		for i := range 3 {
			farewell := filepath.Join(directory, strconv.Itoa(i))
			s := WithTools("read")
			// The signal would end the server before this step.
			s.End = []script.Step{{SleepMS: 100}, {Touch: farewell}}
			farewells = append(farewells, farewell)
			servers = append(servers, Scripted(farewell, s))
		}
		w := Start(Launch{
			Config:  Configuration(InDev(servers...)),
			Prepare: func(process *exec.Cmd) { process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} },
		})
		Expect(w.Open("dev").Connected).To(Equal(3))

		Expect(syscall.Kill(-w.PID(), syscall.SIGINT)).To(Succeed())

		Eventually(w.Ended()).WithTimeout(Patience).Should(BeClosed())
		Expect(w.ExitCode()).To(Equal(0))
		Expect(w.Servers()).To(BeEmpty())
		for _, farewell := range farewells {
			Expect(farewell).To(BeARegularFile())
		}
	})

	It("sends SIGTERM to a tree that ignores the end of its input", Label("L02"), func() {
		s := WithTools("read")
		s.End = []script.Step{{Hang: true}}
		directory := GinkgoT().TempDir()
		path, journal := filepath.Join(directory, "script.json"), filepath.Join(directory, "told")
		Expect(s.Save(path)).To(Succeed())
		line := `trap 'touch "` + journal + `"' TERM; exec 3<&0; "` + ScriptedServer() + `" -script "` + path + `" <&3 & wait`
		w := Serve(InDev(Program("shell", "sh", `"args": ["-c", `+Quote(line)+`]`)))
		Expect(w.Open("dev").Connected).To(Equal(1))
		Expect(w.Servers()).To(HaveLen(2))

		w.CloseInput()

		Eventually(w.Ended()).WithTimeout(Patience).Should(BeClosed())
		Expect(w.ExitCode()).To(Equal(0))
		Expect(w.Servers()).To(BeEmpty())
		Expect(journal).To(BeARegularFile())
	})
})

var _ = Describe("A workbench that is killed", func() {
	It("leaves nothing behind, not even a process that ignores everything and left the group", Label("L04"), func() {
		stubborn := WithTools("read")
		stubborn.Start = []script.Step{{Spawn: "stubborn"}}
		stubborn.IgnoreTerm = true
		stubborn.End = []script.Step{{Hang: true}}
		path := filepath.Join(GinkgoT().TempDir(), "script.json")
		Expect(stubborn.Save(path)).To(Succeed())
		line := "setsid sleep 600 & " + ScriptedServer() + " -script " + path + "; true"
		w := Serve(InDev(
			Scripted("stubborn", stubborn),
			Program("shell", "sh", `"args": ["-c", `+Quote(line)+`]`),
		))
		Expect(w.Open("dev").Connected).To(Equal(2))
		Eventually(w.Servers).WithTimeout(Patience).Should(HaveLen(6))

		w.Signal(syscall.SIGKILL)

		Expect(w.ExitCode()).To(Equal(-1))
		Eventually(w.Processes).WithTimeout(Patience).Should(BeEmpty())
	})
})

var _ = Describe("A process that a server started in a session of its own, and whose parents are gone", Label("L16"), func() {
	// open opens a toolbox whose server started a daemon before it began to serve.
	open := func() *Workbench {
		GinkgoHelper()
		server := WithTools("die")
		server.Rules = []script.Rule{{Method: "tools/call", Do: []script.Step{{Exit: 3}}}}
		path := filepath.Join(GinkgoT().TempDir(), "script.json")
		Expect(server.Save(path)).To(Succeed())
		line := "(setsid sleep 600 >&- 2>&- <&- &); exec " + ScriptedServer() + " -script " + path
		w := Serve(InDev(Program("s", "sh", `"args": ["-c", `+Quote(line)+`]`)))
		Expect(w.Open("dev").Connected).To(Equal(1))
		Eventually(w.Servers).WithTimeout(Patience).Should(HaveLen(2))
		return w
	}

	It("ends with a workbench that is killed", func() {
		w := open()

		w.Signal(syscall.SIGKILL)

		Expect(w.ExitCode()).To(Equal(-1))
		Eventually(w.Processes).WithTimeout(Patience).Should(BeEmpty())
	})

	It("ends with a workbench that ends", func() {
		w := open()

		w.CloseInput()

		Expect(w.ExitCode()).To(Equal(0))
		Expect(w.Processes()).To(BeEmpty())
	})

	It("ends with a server that crashes", func() {
		w := open()

		w.Use("dev", "s", "die", "{}")

		Eventually(w.Servers).WithTimeout(Patience).Should(BeEmpty())
	})
})

var _ = Describe("Being short of", func() {
	// mortal returns a server with a tool that ends it.
	mortal := func() script.Script {
		s := WithTools("read", "die")
		s.Rules = append([]script.Rule{{Method: "tools/call", Tool: "die", Do: []script.Step{{Exit: script.ExitZero}}}}, s.Rules...)
		return s
	}

	It("descriptors fails the servers that need them, which can be opened when others ended", Label("R03"), func() {
		var toolboxes []Toolbox
		for i := range 40 {
			toolboxes = append(toolboxes, NewToolbox(fmt.Sprint("t", i), Scripted("s", mortal())))
		}
		w := Start(Launch{
			Config:  Configuration(toolboxes...),
			Prepare: func(process *exec.Cmd) { ThroughShell(process, `ulimit -n 64 && exec "$0" "$@"`) },
		})
		w.Initialize()

		var up, down []string
		for _, toolbox := range toolboxes {
			answer := w.Call("open_toolbox", `{"toolbox":"`+toolbox.Name+`"}`)
			if answer.IsFailure() {
				Expect(answer.Failure()).To(HaveSuffix("too many open files"))
				down = append(down, toolbox.Name)
			} else {
				up = append(up, toolbox.Name)
			}
		}
		Expect(up).NotTo(BeEmpty())
		Expect(down).NotTo(BeEmpty())
		Expect(w.Use(up[0], "s", "read", "{}").Text()).To(Equal("done"))

		for _, toolbox := range up {
			w.Use(toolbox, "s", "die", "{}").Failure()
		}
		for _, toolbox := range down[:2] {
			Eventually(func() bool { return w.Call("open_toolbox", `{"toolbox":"`+toolbox+`"}`).IsFailure() }).
				WithTimeout(Patience).Should(BeFalse())
			Expect(w.Use(toolbox, "s", "read", "{}").Text()).To(Equal("done"))
		}
	})

	It("processes fails the servers that need them, and no other", Label("R03"), func() {
		if os.Getuid() != 0 {
			Skip("only root can run the workbench as a user of its own, whose processes are counted")
		}
		// Servers that were stopped leave threads behind in the workbench, so that it needs
		// no new ones when none can be created: threads count as processes.
		var idlers []Server
		for i := range 8 {
			idlers = append(idlers, Scripted(fmt.Sprint("idler", i), WithTools("read"), `"idleTimeout": "10ms"`))
		}
		w := Start(Launch{
			Config: Configuration(
				NewToolbox("idle", idlers...),
				NewToolbox("good", Scripted("s", WithTools("read"))),
				NewToolbox("late", Scripted("s", WithTools("read")))),
			Prepare: func(process *exec.Cmd) {
				RunAsOwnUser(process)
				process.Dir = "/"
			},
		})
		w.Initialize()
		w.Open("good")
		Expect(w.Open("idle").Connected).To(Equal(len(idlers)))
		Eventually(w.Servers).WithTimeout(Patience).Should(HaveLen(1))

		limitProcesses(w.PID(), 1)
		Expect(w.Call("open_toolbox", `{"toolbox":"late"}`).Failure()).To(HaveSuffix("resource temporarily unavailable"))
		Expect(w.Use("good", "s", "read", "{}").Text()).To(Equal("done"))

		limitProcesses(w.PID(), 1000)
		Expect(w.Open("late").Connected).To(Equal(1))
	})
})

// limitProcesses says how many processes the user of a process may have from now
// on, as that process sees it.
func limitProcesses(pid, maximum int) {
	GinkgoHelper()
	prlimit, err := exec.LookPath("prlimit")
	if err != nil {
		Skip("prlimit is not installed")
	}
	command := exec.Command(prlimit, "--pid", strconv.Itoa(pid), fmt.Sprintf("--nproc=%d:", maximum))
	command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: OwnUser, Gid: OwnUser, NoSetGroups: true}}
	command.Dir = "/"
	output, err := command.CombinedOutput()
	Expect(err).NotTo(HaveOccurred(), "%s", output)
}
