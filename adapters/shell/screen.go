package shell

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"golang.org/x/term"

	"mcp-workbench/domain"
)

// Screen is where a command talks to a person: lines that stay, and below them, on a
// terminal, status lines that are replaced. Safe for concurrent use.
type Screen struct {
	out io.Writer
	// width returns the columns of the terminal; nil when there is none.
	width func() int

	mu      sync.Mutex
	status  []string
	painted int // how many status lines the terminal shows
	paused  bool
}

// NewScreen returns the screen that is a file: standard error.
func NewScreen(file *os.File) *Screen {
	return &Screen{out: file, width: WidthOf(file)}
}

// WidthOf returns what tells the columns of a terminal at any time, nil when the file
// is not a terminal.
func WidthOf(file *os.File) func() int {
	descriptor := int(file.Fd())
	if !term.IsTerminal(descriptor) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return func() int {
		const usual = 80 // of a terminal that does not tell
		width, _, err := term.GetSize(descriptor)
		if err != nil || width <= 0 {
			return usual
		}
		return width
	}
}

// IsTerminal reports whether a person may be looking.
func (s *Screen) IsTerminal() bool { return s.width != nil }

// Write implements io.Writer: the text stays. It ends with a line end.
func (s *Screen) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out bytes.Buffer
	s.eraseLocked(&out)
	out.Write(text)
	s.paintLocked(&out)
	if _, err := s.out.Write(out.Bytes()); err != nil {
		return 0, fmt.Errorf("write to the screen: %w", err)
	}
	return len(text), nil
}

// Print prints a line that stays. What servers say in it is cleaned.
func (s *Screen) Print(line string) {
	// Nobody can be told that standard error is gone.
	_, _ = io.WriteString(s, domain.TerminalText(line)+"\n")
}

// Show replaces the status lines. Without a terminal nothing is shown.
func (s *Screen) Show(lines ...string) {
	if !s.IsTerminal() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status = lines
	s.repaintLocked()
}

// pause takes the status lines away while a person is asked something; resume brings
// them back.
func (s *Screen) pause() { s.setPaused(true) }

func (s *Screen) resume() { s.setPaused(false) }

func (s *Screen) setPaused(paused bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.paused = paused
	s.repaintLocked()
}

func (s *Screen) repaintLocked() {
	var out bytes.Buffer
	s.eraseLocked(&out)
	s.paintLocked(&out)
	_, _ = s.out.Write(out.Bytes()) // a status that nobody can see is no failure
}

const eraseLine, lineUp = "\r\x1b[2K", "\x1b[1A"

func (s *Screen) eraseLocked(out *bytes.Buffer) {
	for i := range s.painted {
		if i > 0 {
			out.WriteString(lineUp)
		}
		out.WriteString(eraseLine)
	}
	s.painted = 0
}

// paintLocked writes the status lines and leaves the cursor at the end of the last
// one: a line end could scroll the first one away.
func (s *Screen) paintLocked(out *bytes.Buffer) {
	if s.paused || !s.IsTerminal() {
		return
	}
	width := s.width() - 1 // a full line would wrap on some terminals
	for i, line := range s.status {
		if i > 0 {
			out.WriteByte('\n')
		}
		out.WriteString(Fit(oneLine(line), width))
	}
	s.painted = len(s.status)
}

// oneLine makes one clean line of text.
func oneLine(text string) string { return strings.Join(strings.Fields(domain.TerminalText(text)), " ") }
