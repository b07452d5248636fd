package realservers_test

import (
	"bytes"
	"crypto/rand"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// mark is a variable in the environment of a spec's servers, and so of every
// process that they start.
const mark = "SPEC_MARK"

// newMark returns a unique value.
func newMark() string { return rand.Text() }

var _ = Describe("Ending with real servers", func() {
	var value string
	running := func() []string { return processesWith(mark + "=" + value) }
	marked := func() []server {
		directory := realDirectory()
		return []server{
			everything().with(mark, value),
			memory(filepath.Join(directory, "graph.json")).with(mark, value),
			filesystem(directory).with(mark, value),
		}
	}

	BeforeEach(func() {
		if runtime.GOOS != "linux" {
			Skip("finding processes by their environment needs /proc")
		}
		value = newMark()
	})

	It("leaves no process when the input ends", func(ctx SpecContext) {
		w := startWorkbench(ctx, toolbox{"one", marked()}, toolbox{"two", marked()})
		w.open(ctx, "one")
		w.open(ctx, "two")
		// While its timers run, this server does not end with its input.
		text(w.use(ctx, "one", "everything", "toggle-simulated-logging", `{}`))
		Expect(running()).To(HaveLen(6))

		Expect(w.end()).To(Equal(0))

		Expect(running()).To(BeEmpty())
	}, SpecTimeout(time.Minute))

	It("leaves no process when it is told to end during a call", func(ctx SpecContext) {
		w := startWorkbench(ctx, toolbox{"real", marked()})
		w.open(ctx, "real")
		slow := useArguments("real", "everything", "trigger-long-running-operation", `{"duration":600,"steps":1}`)
		w.begin("tools/call", `{"name":"use_tool","arguments":`+slow+`}`)
		Expect(text(w.use(ctx, "real", "everything", "echo", `{"message":"the call is on its way"}`))).To(HavePrefix("Echo"))
		Expect(running()).To(HaveLen(3))

		Expect(w.process.Process.Signal(syscall.SIGTERM)).To(Succeed())

		Eventually(w.ended).WithTimeout(patience).Should(BeClosed())
		Expect(running()).To(BeEmpty())
	}, SpecTimeout(time.Minute))

	It("leaves no process for long after it is killed", func(ctx SpecContext) {
		w := startWorkbench(ctx, toolbox{"real", marked()})
		w.open(ctx, "real")
		Expect(running()).To(HaveLen(3))

		w.kill()

		Eventually(running).WithTimeout(patience).Should(BeEmpty())
	}, SpecTimeout(time.Minute))
})

// processesWith returns the ids of the processes that have the variable in their
// environment. Zombies have no environment.
func processesWith(variable string) []string {
	GinkgoHelper()
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	Expect(err).NotTo(HaveOccurred())
	var found []string
	for _, file := range files {
		environ, err := os.ReadFile(file)
		if err == nil && bytes.Contains(append(environ, 0), []byte(variable+"\x00")) {
			found = append(found, strings.Split(file, "/")[2])
		}
	}
	return found
}
