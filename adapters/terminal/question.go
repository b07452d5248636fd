package terminal

import (
	"context"
	"errors"
	"io"
	"strings"

	"golang.org/x/term"
)

// ErrAborted means that the input ended before the answer.
var ErrAborted = errors.New("aborted")

// CanAsk reports whether both this output and the input are terminals.
func (o *Output) CanAsk() bool {
	return o.isTerminal() && o.console.keys != nil && term.IsTerminal(int(o.console.keys.file.Fd()))
}

// Question is an open question. It is not safe for concurrent use.
type Question struct{ out *Output }

// Begin opens a question, after the previous one was answered. Until End, only the question writes to the
// terminal: the last part of all other text is held back until then. So no server can write into a question,
// and no server waits for an answer.
func (o *Output) Begin() *Question {
	c := o.console
	c.asking.Lock()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held = &held{}
	for _, out := range []*Output{c.Out, c.Err} {
		out.repaintLocked()
	}
	return &Question{out: o}
}

// End closes the question and writes the text that was held back.
func (q *Question) End() {
	c := q.out.console
	c.mu.Lock()
	waiting := c.held
	c.held = nil
	waiting.release(q.out)
	for _, out := range []*Output{c.Out, c.Err} {
		out.repaintLocked()
	}
	c.mu.Unlock()
	c.asking.Unlock()
}

// Print writes a line that belongs to the question.
func (q *Question) Print(line string) error { return q.raw(terminalText(line) + "\n") }

// Ask writes a prompt and returns the answer, without spaces around it. Input that was typed before the prompt
// was shown is dropped.
//
// Failures: ErrAborted at the end of the input; those of the context, of reading and
// writing.
func (q *Question) Ask(ctx context.Context, prompt string) (string, error) {
	q.out.console.keys.forget()
	if err := q.raw(terminalText(prompt)); err != nil {
		return "", err
	}
	line, err := q.out.console.keys.line(ctx)
	if errors.Is(err, io.EOF) {
		return "", ErrAborted
	}
	return strings.TrimSpace(line), err
}

// ReadYesNo reads an answer: "y" and "yes" mean yes, "n" and "no" mean no, in any case. It returns ok=false for others.
func ReadYesNo(answer string) (yes, ok bool) {
	switch strings.ToLower(answer) {
	case "y", "yes":
		return true, true
	case "n", "no":
		return false, true
	}
	return false, false
}

// askHidden is Ask for a line that is not shown. Keys that are no characters, other than Backspace and Ctrl-U, are
// left out.
func (q *Question) askHidden(prompt string) (string, error) {
	restore, err := q.keys()
	if err != nil {
		return "", err
	}
	defer restore()
	q.out.console.keys.forget()
	if err := q.raw(terminalText(prompt)); err != nil {
		return "", err
	}
	var typed []rune
	for {
		pressed, err := q.out.console.key()
		if err != nil {
			return "", err
		}
		switch pressed.kind {
		case keyCharacter:
			typed = append(typed, pressed.character)
		case keySpace:
			typed = append(typed, ' ')
		case keyBackspace:
			typed = typed[:max(len(typed)-1, 0)]
		case keyClear:
			typed = nil
		case keyEnter:
			return strings.TrimSpace(string(typed)), q.raw("\r\n")
		case keyInterrupt:
			return "", ErrInterrupted
		}
	}
}

// keys puts the terminal into raw mode, in which a program gets each key, until restore is called.
func (q *Question) keys() (restore func(), err error) {
	c := q.out.console
	state, err := term.MakeRaw(int(c.keys.file.Fd()))
	if err != nil {
		return nil, err
	}
	undo := func() { _ = term.Restore(int(c.keys.file.Fd()), state) } // a terminal that is gone needs no restoring
	c.mu.Lock()
	c.restore = undo
	c.mu.Unlock()
	stop := func() {}
	if c.BeforeEnd != nil {
		stop = c.BeforeEnd(undo)
	}
	return func() {
		undo()
		stop()
		c.mu.Lock()
		c.restore = nil
		c.mu.Unlock()
	}, nil
}

// raw writes escaped text.
func (q *Question) raw(text string) error {
	q.out.console.mu.Lock()
	defer q.out.console.mu.Unlock()
	return q.out.rawLocked(text)
}
