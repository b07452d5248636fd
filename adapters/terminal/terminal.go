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
	colour      bool
}

// ColourModes are what colour may be: in a terminal, at all times, never.
func ColourModes() []string { return []string{"auto", "always", "never"} }

// New returns the terminal of two files. With the mode "auto" it has colour when what
// is written goes to a terminal and NO_COLOR (https://no-color.org) is not set.
func New(in, out *os.File, mode string) *Terminal {
	writes := term.IsTerminal(int(out.Fd()))
	t := &Terminal{in: in, keys: bufio.NewReader(in), out: out}
	if writes {
		t.screen = out
	}
	t.interactive = writes && term.IsTerminal(int(in.Fd()))
	switch mode {
	case "always":
		t.colour = true
	case "never":
	default:
		t.colour = writes && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && showsColour(out)
	}
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
		code := ""
		switch {
		case strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"):
			code = "1"
		case strings.HasPrefix(line, "+"):
			code = "32"
		case strings.HasPrefix(line, "-"):
			code = "31"
		case strings.HasPrefix(line, "@@"):
			code = "36"
		}
		out.WriteString(t.paint(code, line) + "\n")
	}
	return t.write(out.String())
}

// Confirm asks a question. Only "y" and "yes" are a yes.
//
// Failures: ErrAborted at the end of the input; those of reading and writing.
func (t *Terminal) Confirm(question string) (bool, error) {
	if err := t.write(t.wrapped(domain.TerminalText(question)+" [y/N]") + " "); err != nil {
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
	return answer == "y" || answer == "yes", nil
}

func (t *Terminal) paint(code, text string) string {
	if !t.colour || code == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (t *Terminal) write(text string) error {
	_, err := io.WriteString(t.out, text)
	return err
}
