package terminal

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"mcp-workbench/domain"
)

// ErrAborted says that the person left a question without an answer.
var ErrAborted = errors.New("aborted")

// Terminal is where a person reads and types. It is not safe for concurrent use.
type Terminal struct {
	in          *os.File
	keys        *bufio.Reader
	out         io.Writer
	screen      *os.File // where out goes, nil when that is no terminal
	interactive bool
	paint       Paint
}

// New returns the terminal of two files. The mode of its colour is that of NewPaint.
func New(in, out *os.File, mode string) *Terminal {
	writes := term.IsTerminal(int(out.Fd()))
	t := &Terminal{in: in, keys: bufio.NewReader(in), out: out}
	if writes {
		t.screen = out
	}
	t.interactive = writes && term.IsTerminal(int(in.Fd()))
	t.paint = NewPaint(out, mode)
	return t
}

// IsInteractive reports whether questions can be asked.
func (t *Terminal) IsInteractive() bool { return t.interactive }

// Print writes a line. Characters that would control the terminal are left out, since
// names in it come from files of others. What does not fit the terminal goes on in the
// next line, between words.
func (t *Terminal) Print(format string, args ...any) error {
	return t.write(t.wrapped(domain.TerminalText(fmt.Sprintf(format, args...))) + "\n")
}

// Diff writes the lines of a unified diff, coloured as is usual.
func (t *Terminal) Diff(text string) error {
	var out strings.Builder
	for line := range strings.Lines(text) {
		line = domain.TerminalText(strings.TrimSuffix(line, "\n"))
		colour := Plainly
		switch {
		case strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"):
			colour = Bold
		case strings.HasPrefix(line, "+"):
			colour = Green
		case strings.HasPrefix(line, "-"):
			colour = Red
		case strings.HasPrefix(line, "@@"):
			colour = Cyan
		}
		out.WriteString(t.paint(colour, line) + "\n")
	}
	return t.write(out.String())
}

// Confirm asks a question. Enter gives the preset answer; otherwise only "y" and "yes"
// are a yes.
//
// Failures: ErrAborted at the end of the input; those of reading and writing.
func (t *Terminal) Confirm(question string, preset bool) (bool, error) {
	choices := " [y/N]"
	if preset {
		choices = " [Y/n]"
	}
	if err := t.write(t.wrapped(domain.TerminalText(question)+choices) + " "); err != nil {
		return false, err
	}
	answer, err := t.keys.ReadString('\n')
	if errors.Is(err, io.EOF) {
		return false, ErrAborted
	}
	if err != nil {
		return false, err
	}
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes" || answer == "" && preset, nil
}

func (t *Terminal) write(text string) error {
	_, err := io.WriteString(t.out, text)
	return err
}
