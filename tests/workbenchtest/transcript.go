package workbenchtest

import (
	"fmt"
	"runtime/pprof"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/onsi/ginkgo/v2"
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

// stderr keeps the standard error of a workbench. Safe for concurrent
// use.
type stderr struct {
	mu      sync.Mutex
	written strings.Builder
}

// Write implements io.Writer.
func (s *stderr) Write(piece []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.written.Write(piece)
}

func (s *stderr) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.written.String()
}
