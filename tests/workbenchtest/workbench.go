package workbenchtest

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
)

// Workbench is a running workbench, seen from its host. Safe for concurrent use.
type Workbench struct {
	process *exec.Cmd
	in      io.WriteCloser
	out     io.Closer
	reading sync.Mutex // held while the host does not read
	cookie  string
	errors  *stderr
	ended   chan struct{} // closed when the process is gone and all its output is read

	mu       sync.Mutex
	changed  chan struct{} // closed and replaced at every message
	lastID   int
	received []Message
	read     int // messages that Next returned
	noise    []string
	script   transcript
	judged   bool                    // the spec checked the exit code itself
	asked    int                     // exchanges begun
	waiting  map[string]chan Message // exchanges under way, by raw id
}

// Send writes one line.
func (w *Workbench) Send(line string) {
	ginkgo.GinkgoHelper()
	w.SendRaw(line + "\n")
}

// SendRaw writes bytes unchanged.
func (w *Workbench) SendRaw(raw string) {
	ginkgo.GinkgoHelper()
	w.note("host", raw)
	_, err := io.WriteString(w.in, raw)
	gomega.Expect(err).NotTo(gomega.HaveOccurred(), "writing %.200s", raw)
}

// Next returns the next message, in the order of arrival.
func (w *Workbench) Next() Message {
	ginkgo.GinkgoHelper()
	return w.await("one more message", func() (Message, bool) {
		if w.read == len(w.received) {
			return Message{}, false
		}
		w.read++
		return w.received[w.read-1], true
	})
}

// Await returns the answer to the request with that raw id.
func (w *Workbench) Await(id string) Message {
	ginkgo.GinkgoHelper()
	return w.await("the answer to request "+id, func() (Message, bool) {
		for _, m := range w.received {
			if m.Method == "" && string(m.ID) == id {
				return m, true
			}
		}
		return Message{}, false
	})
}

// Answers returns every answer that came for a raw id so far.
func (w *Workbench) Answers(id string) []Message {
	w.mu.Lock()
	defer w.mu.Unlock()
	var answers []Message
	for _, m := range w.received {
		if m.Method == "" && string(m.ID) == id {
			answers = append(answers, m)
		}
	}
	return answers
}

// Received returns every message that came so far.
func (w *Workbench) Received() []Message {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]Message(nil), w.received...)
}

// await waits until find finds a message. Find is called with the lock held.
func (w *Workbench) await(what string, find func() (Message, bool)) Message {
	ginkgo.GinkgoHelper()
	patience := time.NewTimer(Patience)
	defer patience.Stop()
	for over := false; ; {
		w.mu.Lock()
		m, found := find()
		changed := w.changed
		w.mu.Unlock()
		switch {
		case found:
			return m
		case over:
			ginkgo.Fail("the workbench ended without " + what)
		}
		select {
		case <-changed:
		case <-w.ended:
			over = true // after one more look
		case <-patience.C:
			w.dump()
			ginkgo.Fail(fmt.Sprintf("no sign of %s within %s", what, Patience))
		}
	}
}

// Stderr returns what the workbench wrote to its standard error so far.
func (w *Workbench) Stderr() string { return w.errors.text() }

// PID returns the id of the workbench's process.
func (w *Workbench) PID() int { return w.process.Process.Pid }

// CloseInput ends the workbench's input, like a host that is done.
func (w *Workbench) CloseInput() {
	ginkgo.GinkgoHelper()
	gomega.Expect(w.in.Close()).To(gomega.Succeed())
}

// StopReading closes the pipe with the workbench's output.
func (w *Workbench) StopReading() {
	ginkgo.GinkgoHelper()
	gomega.Expect(w.out.Close()).To(gomega.Succeed())
}

// PauseReading stops reading the workbench's output until ResumeReading.
func (w *Workbench) PauseReading() { w.reading.Lock() }

// ResumeReading ends a PauseReading.
func (w *Workbench) ResumeReading() { w.reading.Unlock() }

// output comes from the workbench, and is read only while the host reads.
type output struct {
	io.Reader
	workbench *Workbench
}

// Read implements io.Reader.
func (o output) Read(into []byte) (int, error) {
	o.workbench.reading.Lock()
	o.workbench.reading.Unlock() //nolint:staticcheck // it only waits until reading is resumed
	return o.Reader.Read(into)
}

// Signal sends the workbench a signal.
func (w *Workbench) Signal(signal os.Signal) {
	ginkgo.GinkgoHelper()
	gomega.Expect(w.process.Process.Signal(signal)).To(gomega.Succeed())
}

// Ended returns a channel that is closed once the process is gone and all its output was read.
func (w *Workbench) Ended() <-chan struct{} { return w.ended }

// ExitCode waits until the workbench is gone and returns its exit code.
func (w *Workbench) ExitCode() int {
	ginkgo.GinkgoHelper()
	w.mu.Lock()
	w.judged = true
	w.mu.Unlock()
	gomega.Eventually(w.ended).WithTimeout(Patience).Should(gomega.BeClosed(), "the workbench should end")
	return w.process.ProcessState.ExitCode()
}

// End ends the workbench, like a host that is done, and returns the exit code.
func (w *Workbench) End() int {
	ginkgo.GinkgoHelper()
	w.CloseInput()
	return w.ExitCode()
}

// SoakTime returns how long a random spec runs: WORKBENCH_SOAK if it is set.
func SoakTime(short time.Duration) time.Duration {
	given := os.Getenv("WORKBENCH_SOAK")
	if given == "" {
		return short
	}
	duration, err := time.ParseDuration(given)
	gomega.Expect(err).NotTo(gomega.HaveOccurred())
	return duration
}
