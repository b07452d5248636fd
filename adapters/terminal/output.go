package terminal

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"mcp-workbench/domain"
)

// Output is standard output or standard error of a Console: lines that stay and, below them on
// a terminal, status lines that are replaced. Safe for concurrent use.
type Output struct {
	console    *Console
	to         io.Writer
	isTerminal func() bool
	columns    func() int // of the terminal
	rows       func() int // nil if it is not known

	// guarded by console.mu
	copied  io.Writer // gets a copy of all lines, nil for none
	partial string    // the beginning of an incomplete character
	wraps   bool      // lines are wrapped
	midLine bool      // the last text did not end its line
	status  []string
	painted int // the number of visible status lines
}

// Columns returns the width of the terminal. It is 0 if the output is not a terminal, or one that only accepts
// lines (TERM=dumb).
func (o *Output) Columns() int {
	if !o.isTerminal() || os.Getenv("TERM") == "dumb" {
		return 0
	}
	return o.columns()
}

// Rows returns the height of the terminal. It is 0 if Columns returns 0, or if the height is not known.
func (o *Output) Rows() int {
	if o.Columns() == 0 || o.rows == nil {
		return 0
	}
	return o.rows()
}

// Write implements io.Writer for text that is shown to users. It escapes text with domain.TerminalText, also in
// files and pipes, which a terminal or a build log may show later, and keeps the colours of a Paint. Lines of
// standard error, and those after WrapLines, are wrapped between words to fit the terminal. While a question is
// open, the text waits for the answer.
func (o *Output) Write(text []byte) (int, error) {
	o.console.mu.Lock()
	defer o.console.mu.Unlock()
	whole := o.partial + string(text)
	end := wholeCharacters(whole)
	o.partial = whole[end:]
	o.copyLocked(whole[:end])
	if err := o.putLocked(terminalText(o.wrappedLocked(whole[:end]))); err != nil {
		return 0, err
	}
	return len(text), nil
}

// WrapLines wraps all further lines. Standard output begins without, since tables have their own way to fit, and
// results stay as they are.
func (o *Output) WrapLines() {
	o.console.mu.Lock()
	defer o.console.mu.Unlock()
	o.wraps = true
}

func (o *Output) wrappedLocked(text string) string {
	columns := o.Columns()
	if columns == 0 || text == "" || !o.wraps && o != o.console.Err {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if i > 0 || !o.midLine {
			lines[i] = Wrap(line, columns)
		}
	}
	o.midLine = lines[len(lines)-1] != ""
	return strings.Join(lines, "\n")
}

// CopyTo copies all further lines to a writer, with escapes and without colours. If that fails, the output says
// so once, and copies no more.
func (o *Output) CopyTo(w io.Writer) {
	o.console.mu.Lock()
	defer o.console.mu.Unlock()
	o.copied = w
}

func (o *Output) copyLocked(text string) {
	if o.copied == nil || text == "" {
		return
	}
	if _, err := io.WriteString(o.copied, domain.TerminalText(text)); err != nil {
		o.copied = nil
		_ = o.putLocked("mcp-workbench: no more lines are copied to the log file: " + domain.TerminalText(err.Error()) + "\n") // a failure cannot be shown
	}
}

// Print writes a line.
func (o *Output) Print(line string) { o.Printf("%s\n", line) }

// Printf writes formatted text.
func (o *Output) Printf(format string, args ...any) {
	_, _ = fmt.Fprintf(o, format, args...) // a failure to write to standard error cannot be shown
}

// Lines writes lines.
func (o *Output) Lines(lines ...string) error {
	_, err := io.WriteString(o, strings.Join(lines, "\n")+"\n")
	return err
}

// JSON writes a value as one line of JSON, for programs.
func (o *Output) JSON(value any) error {
	if err := json.NewEncoder(o.Data()).Encode(value); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return nil
}

// Data returns a writer for data that programs read. It writes bytes unchanged, except to a terminal.
func (o *Output) Data() io.Writer {
	if o.isTerminal() {
		return o
	}
	return o.to
}

// putLocked writes escaped text, or holds it while a question is open.
func (o *Output) putLocked(text string) error {
	if o.console.held != nil {
		o.console.held.add(o, text)
		return nil
	}
	if status := o.console.Err; o == o.console.Out && status.painted > 0 && o.isTerminal() {
		// Both are the same terminal, and the lines would be appended to the status.
		var erased strings.Builder
		status.eraseLocked(&erased)
		_ = status.rawLocked(erased.String()) // the status is not essential
		defer status.repaintLocked()
	}
	var out strings.Builder
	o.eraseLocked(&out)
	out.WriteString(text)
	o.paintLocked(&out)
	return o.rawLocked(out.String())
}

func (o *Output) rawLocked(text string) error {
	if text == "" {
		return nil
	}
	if _, err := io.WriteString(o.to, text); err != nil {
		return fmt.Errorf("write to the terminal: %w", err)
	}
	return nil
}

// wholeCharacters returns the length of text without an incomplete last character.
func wholeCharacters(text string) int {
	for at := max(len(text)-utf8.UTFMax+1, 0); at < len(text); at++ {
		if utf8.RuneStart(text[at]) && !utf8.FullRuneInString(text[at:]) {
			return at
		}
	}
	return len(text)
}

// terminalText returns text for the terminal with the necessary escapes, and with the colours of the workbench.
func terminalText(text string) string {
	if !strings.Contains(text, "\x1b") {
		return domain.TerminalText(text)
	}
	pieces := strings.Split(text, colourMark)
	var out strings.Builder
	for i, piece := range pieces {
		if i > 0 {
			colour, rest, _ := strings.Cut(piece, "m")
			out.WriteString("\x1b[" + colour + "m")
			piece = rest
		}
		out.WriteString(domain.TerminalText(piece))
	}
	return out.String()
}
