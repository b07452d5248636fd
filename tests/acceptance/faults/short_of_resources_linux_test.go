package faults_test

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

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

	It("processes fails the servers that need them, and no other", Label("R04"), func() {
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
