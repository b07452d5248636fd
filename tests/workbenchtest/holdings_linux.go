package workbenchtest

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
)

// Holdings are the resources of the system that a workbench has to release.
type Holdings struct{ Descriptors, Processes int }

// Holdings counts the open descriptors of the workbench, and every process that it
// or its descendants started.
func (w *Workbench) Holdings() Holdings {
	ginkgo.GinkgoHelper()
	open, err := os.ReadDir(processFile(w.PID(), "fd"))
	gomega.Expect(err).NotTo(gomega.HaveOccurred())
	return Holdings{Descriptors: len(open), Processes: len(w.Processes())}
}

// Memory returns how many bytes of private memory the workbench and its watchdog have in RAM, without the pages
// of the program's file, which the system can drop at any time.
func (w *Workbench) Memory() int64 {
	ginkgo.GinkgoHelper()
	sum := ownBytes(w.PID())
	for _, pid := range w.Processes() {
		if isWatchdog(pid) {
			sum += ownBytes(pid)
		}
	}
	return sum
}

// PeakMemory returns the largest number of bytes that the workbench ever had in RAM.
func (w *Workbench) PeakMemory() int64 {
	ginkgo.GinkgoHelper()
	return statusBytes(w.PID(), "VmHWM:")
}

// ProcessorTime returns how much processor time the workbench has used so far, in ticks of the
// system's clock.
func (w *Workbench) ProcessorTime() int {
	ginkgo.GinkgoHelper()
	stat, err := os.ReadFile(processFile(w.PID(), "stat"))
	gomega.Expect(err).NotTo(gomega.HaveOccurred())
	// The name before the parenthesis may contain anything.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	user, err := strconv.Atoi(fields[11])
	gomega.Expect(err).NotTo(gomega.HaveOccurred())
	system, err := strconv.Atoi(fields[12])
	gomega.Expect(err).NotTo(gomega.HaveOccurred())
	return user + system
}

func ownBytes(pid int) int64 {
	ginkgo.GinkgoHelper()
	return statusBytes(pid, "RssAnon:")
}

func statusBytes(pid int, name string) int64 {
	ginkgo.GinkgoHelper()
	status, err := os.ReadFile(processFile(pid, "status"))
	gomega.Expect(err).NotTo(gomega.HaveOccurred())
	_, rest, _ := bytes.Cut(status, []byte(name))
	number, _, _ := strings.Cut(strings.TrimSpace(string(rest)), " ")
	kilobytes, err := strconv.ParseInt(number, 10, 64)
	gomega.Expect(err).NotTo(gomega.HaveOccurred())
	return kilobytes << 10
}

func processFile(pid int, name string) string {
	return filepath.Join("/proc", strconv.Itoa(pid), name)
}

var (
	goroutine = regexp.MustCompile(`^goroutine [1-9]\d* `) // 0 is a thread without one
	beginning = regexp.MustCompile(`(?m)^created by (.+?)(?: in goroutine \d+)?$`)
)

// Goroutines counts the goroutines of the workbench by the function that started
// them, "" for the first one, without those of the runtime itself. It ends the workbench: on SIGQUIT the runtime
// lists its goroutines and exits with 2, as after a panic.
func (w *Workbench) Goroutines() map[string]int {
	ginkgo.GinkgoHelper()
	length := len(w.Stderr())
	w.Signal(syscall.SIGQUIT)
	gomega.Expect(w.ExitCode()).To(gomega.Equal(2))
	gomega.Eventually(w.Processes).WithTimeout(Patience).Should(gomega.BeEmpty())
	counts := map[string]int{}
	for stack := range strings.SplitSeq(w.Stderr()[length:], "\n\n") {
		if !goroutine.MatchString(stack) {
			continue
		}
		begun := ""
		if found := beginning.FindStringSubmatch(stack); found != nil {
			begun = found[1]
		}
		if !strings.HasPrefix(begun, "runtime.") {
			counts[begun]++
		}
	}
	gomega.Expect(counts).NotTo(gomega.BeEmpty(), "no goroutines were listed")
	return counts
}
