package terminal

import (
	"context"
	"fmt"
	"io"
	"strings"

	"mcp-workbench/domain"
)

// Terminal shows wrapped lines and diffs and asks questions for a command. It is not safe for concurrent
// use.
type Terminal struct {
	out   *Output
	paint Paint
}

// New returns a terminal that writes to an output, with a colour mode for NewPaint.
func New(out *Output, mode string) *Terminal {
	return &Terminal{out: out, paint: NewPaint(out, mode)}
}

// IsInteractive reports whether questions can be asked.
func (t *Terminal) IsInteractive() bool { return t.out.CanAsk() }

// Print writes a line, wrapped between words to fit the terminal.
func (t *Terminal) Print(format string, args ...any) error {
	return t.write(t.wrapText(domain.TerminalText(fmt.Sprintf(format, args...))) + "\n")
}

// Diff writes a unified diff in the usual colours, its lines wrapped between words below their text. Invisible characters are escaped, since the user reviews
// the diff (domain.ReviewText).
func (t *Terminal) Diff(text string) error {
	var out strings.Builder
	for line := range strings.Lines(text) {
		line = domain.ReviewText(strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"))
		colour := Plain
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
		if columns := t.out.Columns(); columns > 0 && line != "" {
			below := len(line[1:]) - len(strings.TrimLeft(line[1:], " ")) + len("+  ")
			line = Hang(line, strings.Repeat(" ", below), columns)
		}
		out.WriteString(t.paint(colour, line) + "\n")
	}
	return t.write(out.String())
}

// Confirm asks a question. Only "y" and "yes" mean yes; Enter means no.
//
// Failures: ErrAborted at the end of the input; those of reading and writing.
func (t *Terminal) Confirm(question string) (bool, error) {
	answer, err := t.Ask(question + " [y/N]")
	yes, _ := ReadYesNo(answer)
	return yes && err == nil, err
}

// ConfirmChosen is Confirm for what the user has just chosen: Enter means yes.
func (t *Terminal) ConfirmChosen(question string) (bool, error) {
	answer, err := t.Ask(question + " [Y/n]")
	yes, _ := ReadYesNo(answer)
	return (yes || answer == "") && err == nil, err
}

// Ask asks for a line and returns it, without spaces around it.
//
// Failures: ErrAborted at the end of the input; those of reading and writing.
func (t *Terminal) Ask(prompt string) (string, error) {
	asking := t.out.Begin()
	defer asking.End()
	return asking.Ask(context.Background(), t.wrapText(domain.TerminalText(prompt))+" ")
}

// AskSecret is Ask for a line that the screen does not show.
//
// Failures: also ErrInterrupted for Ctrl-C.
func (t *Terminal) AskSecret(prompt string) (string, error) {
	asking := t.out.Begin()
	defer asking.End()
	return asking.askHidden(t.wrapText(domain.TerminalText(prompt)) + " ")
}

func (t *Terminal) write(text string) error {
	_, err := io.WriteString(t.out, text)
	return err
}
