package faults_test

import (
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
