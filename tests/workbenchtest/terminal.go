package workbenchtest

import (
	"strings"
	"sync"
	"time"

	"github.com/creack/pty"
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
)

// Turn is what a person does in front of a terminal: they wait until the screen shows a
// text that was not there at the last turn, and type.
type Turn struct{ Until, Type string }

// RunInTerminal runs the program to its end in a pseudo-terminal of 100 columns.
// Everything that the screen got is in Stdout, with CR LF as line ends.
func RunInTerminal(l Launch, turns ...Turn) Outcome {
	ginkgo.GinkgoHelper()
	command, _ := l.command()
	terminal, err := pty.StartWithSize(command, &pty.Winsize{Rows: 40, Cols: 100})
	if err != nil {
		ginkgo.Skip("no pseudo-terminal here: " + err.Error())
	}
	defer func() { _ = terminal.Close() }() // the program is gone
	kill := time.AfterFunc(Patience, func() { _ = command.Process.Kill() })
	defer kill.Stop()
	screen := &screen{grown: make(chan struct{})}
	go screen.read(terminal)
	seen := 0
	for _, turn := range turns {
		seen = screen.await(turn.Until, seen)
		_, err := terminal.WriteString(turn.Type)
		gomega.Expect(err).NotTo(gomega.HaveOccurred())
	}
	_ = command.Wait() // the code says how it ended
	screen.await("\x00", 0)
	return Outcome{Code: command.ProcessState.ExitCode(), Stdout: screen.text()}
}

// screen is what a terminal got so far.
type screen struct {
	mu    sync.Mutex
	got   strings.Builder
	ended bool
	grown chan struct{} // closed and replaced when there is more, or no more
}

func (s *screen) read(from interface{ Read([]byte) (int, error) }) {
	buffer := make([]byte, 4096)
	for {
		n, err := from.Read(buffer)
		s.mu.Lock()
		s.got.Write(buffer[:n])
		s.ended = err != nil // Linux ends a pseudo-terminal with EIO
		close(s.grown)
		s.grown = make(chan struct{})
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// await waits until the text is on the screen behind what was seen, and returns where it
// ends. It fails when the program ends without it; the text "\x00" waits for the end.
func (s *screen) await(text string, seen int) int {
	ginkgo.GinkgoHelper()
	for {
		s.mu.Lock()
		got, ended, grown := s.got.String(), s.ended, s.grown
		s.mu.Unlock()
		if at := strings.Index(got[seen:], text); at >= 0 {
			return seen + at + len(text)
		}
		if ended {
			gomega.Expect(text).To(gomega.Equal("\x00"), "the program ended without it; the screen: %s", got)
			return len(got)
		}
		select {
		case <-grown:
		case <-time.After(Patience):
			ginkgo.Fail("the screen never showed " + text + ":\n" + got)
		}
	}
}

func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.got.String()
}
