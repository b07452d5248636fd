package workbenchtest

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/creack/pty"
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
	"golang.org/x/term"
)

// Terminal is a run of the program in its own terminal.
type Terminal struct {
	out  *strings.Builder
	file io.ReadWriteCloser
	code func() int
	// signal sends a signal to the program.
	signal func(os.Signal) error
	read   <-chan struct{} // closed when all output of the program was read
	seen   int             // the end of the text that the last turn waited for

	mu *sync.Mutex // guards out
}

// OnTerminal runs the program in a terminal with that many columns. If standard output is
// not nil, it is a pipe whose content is written there.
func OnTerminal(l Launch, columns int, stdout io.Writer) *Terminal {
	ginkgo.GinkgoHelper()
	command, cookie := l.command()
	command.Env = append(command.Env, "TERM=xterm")
	file, own, err := pty.Open()
	if err != nil {
		ginkgo.Skip("no pseudo-terminal here: " + err.Error())
	}
	gomega.Expect(pty.Setsize(file, &pty.Winsize{Rows: 50, Cols: uint16(columns)})).To(gomega.Succeed())
	gomega.Expect(io.WriteString(file, l.Typed)).Error().NotTo(gomega.HaveOccurred())
	command.Stdin, command.Stdout, command.Stderr = own, own, own
	if stdout != nil {
		command.Stdout = stdout
	}
	inOwnSession(command)
	gomega.Expect(command.Start()).To(gomega.Succeed())
	gomega.Expect(own.Close()).To(gomega.Succeed())
	file, err = closable(file)
	gomega.Expect(err).NotTo(gomega.HaveOccurred())
	read := make(chan struct{})
	t := &Terminal{out: &strings.Builder{}, file: file, mu: &sync.Mutex{}, read: read, signal: command.Process.Signal}
	go func() {
		defer close(read)
		_, _ = io.Copy(t, file) // reading a terminal whose last program ended fails
	}()
	ended := sync.OnceValue(func() int {
		kill := time.AfterFunc(Patience, func() { _ = command.Process.Kill() }) // it may have ended
		defer kill.Stop()
		_ = command.Wait() // the code says how it ended
		<-read
		_ = file.Close()
		return command.ProcessState.ExitCode()
	})
	t.code = ended
	ginkgo.DeferCleanup(func() {
		_, _ = io.WriteString(file, "\x03") // it may be closed
		ended()
		gomega.Expect(endLeftovers(cookie)).To(gomega.BeEmpty(), "processes that outlive the program")
	})
	return t
}

// Write records output of the program.
func (t *Terminal) Write(piece []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.out.Write(piece)
}

// HangUp closes the terminal, like closing its window.
func (t *Terminal) HangUp() {
	ginkgo.GinkgoHelper()
	gomega.Expect(t.file.Close()).To(gomega.Succeed())
}

// Signal sends a signal to the program.
func (t *Terminal) Signal(signal os.Signal) {
	ginkgo.GinkgoHelper()
	gomega.Expect(t.signal(signal)).To(gomega.Succeed())
}

// Mode returns how the terminal treats keys and lines.
func (t *Terminal) Mode() *term.State {
	ginkgo.GinkgoHelper()
	return modeOf(t.file.(syscall.Conn))
}

// FirstMode returns the mode of a terminal that no program has changed.
func FirstMode() *term.State {
	ginkgo.GinkgoHelper()
	file, other, err := pty.Open()
	if err != nil {
		ginkgo.Skip("no pseudo-terminal here: " + err.Error())
	}
	defer func() { _, _ = file.Close(), other.Close() }()
	return modeOf(file)
}

func modeOf(file syscall.Conn) (mode *term.State) {
	ginkgo.GinkgoHelper()
	access, err := file.SyscallConn()
	gomega.Expect(err).NotTo(gomega.HaveOccurred())
	gomega.Expect(access.Control(func(descriptor uintptr) { mode, err = term.GetState(int(descriptor)) })).To(gomega.Succeed())
	gomega.Expect(err).NotTo(gomega.HaveOccurred())
	return mode
}

// Shown returns everything that was shown so far, including control sequences, with the
// line ends of text files.
func (t *Terminal) Shown() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.ReplaceAll(t.out.String(), "\r\n", "\n")
}

// erasedStatus matches a line that was erased, such as the status of a server that takes long to start.
var erasedStatus = regexp.MustCompile(`[^\n]*\r\x1b\[2K`)

// Remaining is Shown without the lines that were erased. It depends on the load of the machine which of them were shown.
func (t *Terminal) Remaining() string { return erasedStatus.ReplaceAllString(t.Shown(), "") }

// AwaitShown waits until a text was shown.
func (t *Terminal) AwaitShown(text string) {
	ginkgo.GinkgoHelper()
	t.awaitAfter(text, 0)
}

// awaitAfter waits until a text is shown after a position, and returns the end of the text.
// It fails at once when the program ends without it.
func (t *Terminal) awaitAfter(text string, seen int) int {
	ginkgo.GinkgoHelper()
	at := -1
	gomega.Eventually(func() error {
		ended := false
		select {
		case <-t.read:
			ended = true
		default:
		}
		shown := t.Shown()
		if at = strings.Index(shown[seen:], text); at >= 0 {
			return nil
		}
		err := fmt.Errorf("%q was not shown:\n%s", text, shown)
		if ended {
			return gomega.StopTrying("the program ended").Wrap(err)
		}
		return err
	}).WithTimeout(Patience).Should(gomega.Succeed())
	return seen + at + len(text)
}

// Type types text, as a user does: a line ends with "\r", and "\x03" is Ctrl-C.
func (t *Terminal) Type(text string) {
	ginkgo.GinkgoHelper()
	_, err := io.WriteString(t.file, text)
	gomega.Expect(err).NotTo(gomega.HaveOccurred())
}

// End waits for the end and returns the exit code.
func (t *Terminal) End() int { return t.code() }

// Turn is one step of a user at a terminal: wait until the screen shows a
// text that was not there at the last turn, and type.
type Turn struct{ Until, Type string }

// Take takes turns. Text that is typed before its question was shown is discarded, so each
// turn waits for its question.
func (t *Terminal) Take(turns ...Turn) {
	ginkgo.GinkgoHelper()
	for _, turn := range turns {
		t.seen = t.awaitAfter(turn.Until, t.seen)
		t.Type(turn.Type)
	}
}

// RunInTerminal runs the program to its end in a terminal so wide that no text wraps.
// Stdout of the outcome has everything that was shown.
func RunInTerminal(l Launch, turns ...Turn) Outcome {
	ginkgo.GinkgoHelper()
	const columns = 500
	t := OnTerminal(l, columns, nil)
	t.Take(turns...)
	code := t.End()
	return Outcome{Code: code, Stdout: t.Shown()}
}

// NeedsTerminal skips a spec on systems without pseudo-terminals.
func NeedsTerminal() {
	ginkgo.GinkgoHelper()
	if runtime.GOOS == "windows" {
		ginkgo.Skip("the library for pseudo-terminals does not support Windows")
	}
}
