package realservers_test

import (
	"bytes"
	"crypto/rand"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

// How long processes of a server may remain after the end, by contract: after an orderly end,
// and when the workbench could not end them itself.
const (
	orderlyEnd = 4 * time.Second
	suddenEnd  = 5 * time.Second
)

// mark is a variable in the environment of a spec's servers, and so of every
// process that they start.
const mark = "SPEC_MARK"

// newMark returns a unique value.
func newMark() string { return rand.Text() }

// byNpx is a reference server in its usual configuration: npx starts a shell, which
// starts the program. It uses the installed package and downloads nothing.
func byNpx(name string, args ...string) server {
	GinkgoHelper()
	directory := spec.Must(filepath.Abs(packagesRoot))
	return server{
		name: name, Command: "npx", Args: append([]string{"--no", "--offline", "--", "mcp-server-" + name}, args...), Cwd: directory,
		Env: map[string]string{"npm_config_cache": GinkgoT().TempDir(), "npm_config_update_notifier": "false"},
	}
}

var _ = Describe("Ending with trees of npx", func() {
	send := func(signal syscall.Signal) func(*Workbench) {
		return func(w *Workbench) { w.Signal(signal) }
	}

	BeforeEach(func() {
		if runtime.GOOS != "linux" {
			Skip("finding processes by their environment needs /proc")
		}
		if _, err := exec.LookPath("npx"); err != nil {
			unavailable("there is no npx here")
		}
	})

	DescribeTable("leaves no process of any tree", func(end func(*Workbench), code int, limit time.Duration) {
		value := newMark()
		running := func() []string { return processesWith(mark + "=" + value) }
		directory := realDirectory()
		w := startWorkbench(toolbox{"real", []server{
			byNpx("everything").with(mark, value),
			byNpx("filesystem", directory).with(mark, value),
			byNpx("memory").with(mark, value).with("MEMORY_FILE_PATH", filepath.Join(directory, "graph.json")),
		}})
		Expect(w.Open("real").Connected).To(Equal(3))
		Expect(len(running())).To(BeNumerically(">=", 6), "processes of three trees")
		w.BeginUse("real", "everything", "trigger-long-running-operation", `{"duration":600,"steps":1}`)
		Expect(w.Use("real", "everything", "echo", `{"message":"under way"}`).Text()).To(Equal("Echo: under way"))

		end(w)

		Eventually(running).WithTimeout(limit).Should(BeEmpty())
		Expect(w.ExitCode()).To(Equal(code))
	},
		Entry("when the input ends", Label("L01"), SpecTimeout(time.Minute),
			(*Workbench).CloseInput, 0, orderlyEnd),
		Entry("on SIGTERM", Label("L03"), SpecTimeout(time.Minute), send(syscall.SIGTERM), 0, orderlyEnd),
		Entry("on SIGINT", Label("L03"), SpecTimeout(time.Minute), send(syscall.SIGINT), 0, orderlyEnd),
		Entry("on SIGHUP", Label("L03"), SpecTimeout(time.Minute), send(syscall.SIGHUP), 0, orderlyEnd),
		Entry("on SIGKILL", Label("L04"), SpecTimeout(time.Minute), send(syscall.SIGKILL), -1, suddenEnd),
		// On SIGQUIT the runtime ends the program as after a panic: it prints the stacks
		// and exits with 2, without running deferred functions.
		Entry("on a panic", Label("L04"), SpecTimeout(time.Minute), send(syscall.SIGQUIT), 2, suddenEnd),
	)
})

// processesWith returns the ids of the processes that have the variable in their
// environment. Zombies have no environment.
func processesWith(variable string) []string {
	GinkgoHelper()
	files := spec.Must(filepath.Glob("/proc/[0-9]*/environ"))
	var found []string
	for _, file := range files {
		environ, err := os.ReadFile(file)
		if err == nil && bytes.Contains(append(environ, 0), []byte(variable+"\x00")) {
			found = append(found, strings.Split(file, "/")[2])
		}
	}
	return found
}
