package terminal

import (
	"context"
	"errors"
	"io"
	"strings"

	"golang.org/x/term"
)

// ErrAborted says that the person left a question without an answer.
var ErrAborted = errors.New("aborted")

// CanAsk reports whether there is a person who sees this output and can type.
func (o *Output) CanAsk() bool {
	return o.isTerminal() && o.console.keys != nil && term.IsTerminal(int(o.console.keys.file.Fd()))
}

// Question is a question that a person is being asked. It is not safe for concurrent use.
type Question struct{ out *Output }

// Begin opens a question, once the one before is answered. Until End only the question
// writes to the terminal: what others write meanwhile is kept, the last of it, and shown
// then. So no server can write into a question, and none waits for an answer.
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

// End closes the question and shows what waited for it.
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
func (q *Question) Print(line string) error { return q.raw(shown(line) + "\n") }

// Ask writes a prompt and returns the line that answers it, without spaces around it.
// What was typed before the prompt was shown answers nothing.
//
// Failures: ErrAborted at the end of the input; those of the context, of reading and
// writing.
func (q *Question) Ask(ctx context.Context, prompt string) (string, error) {
	q.out.console.keys.forget()
	if err := q.raw(shown(prompt)); err != nil {
		return "", err
	}
	line, err := q.out.console.keys.line(ctx)
	if errors.Is(err, io.EOF) {
		return "", ErrAborted
	}
	return strings.TrimSpace(line), err
}

// raw writes text that is fit to be shown.
func (q *Question) raw(text string) error {
	q.out.console.mu.Lock()
	defer q.out.console.mu.Unlock()
	return q.out.rawLocked(text)
}
