package workbenchtest

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"syscall"
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
)

// maxShown is the length to which a transcript cuts each piece.
const maxShown = 2000

// transcript has the lines on the pipes of a workbench, in order.
type transcript struct{ pieces []string }

func (t *transcript) note(speaker, what string) {
	if len(what) > maxShown {
		what = fmt.Sprintf("%s… (%d bytes)\n", what[:maxShown], len(what))
	}
	t.pieces = append(t.pieces, speaker+": "+what)
}

func (w *Workbench) note(speaker, what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.script.note(speaker, what)
}

// report prints, for a failed spec, the messages from and to its workbench.
func (w *Workbench) report() {
	if !ginkgo.CurrentSpecReport().Failed() {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	ginkgo.AddReportEntry("the conversation", strings.Join(w.script.pieces, ""))
	ginkgo.AddReportEntry("standard error", w.errors.text())
}

// dumpTime is the longest time a workbench may take to write where its goroutines are.
const dumpTime = 5 * time.Second

// dump ends a silent workbench, and shows where its goroutines and those of the spec
// were. Go programs write that to standard error at SIGQUIT, which
// Windows does not have.
func (w *Workbench) dump() {
	var own strings.Builder
	_ = pprof.Lookup("goroutine").WriteTo(&own, 2) // a strings.Builder takes everything
	ginkgo.AddReportEntry("the goroutines of the spec", own.String())
	if w.process.Process.Signal(syscall.SIGQUIT) != nil {
		return // it is gone, or this is Windows
	}
	w.judged = true
	select {
	case <-w.ended:
	case <-time.After(dumpTime):
	}
}

// stderr is the standard error of a workbench: a file, so that what the workbench wrote before its answer is
// there when the answer is. Safe for concurrent use.
type stderr struct{ path string }

// newStderr returns an empty file, and the same file opened for the process of a workbench.
func newStderr() (*stderr, *os.File) {
	ginkgo.GinkgoHelper()
	s := &stderr{filepath.Join(ginkgo.GinkgoT().TempDir(), "stderr")}
	file, err := os.OpenFile(s.path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	gomega.Expect(err).NotTo(gomega.HaveOccurred())
	ginkgo.DeferCleanup(file.Close)
	return s, file
}

func (s *stderr) text() string {
	written, err := os.ReadFile(s.path)
	if err != nil {
		return "the standard error cannot be read: " + err.Error()
	}
	return string(written)
}
