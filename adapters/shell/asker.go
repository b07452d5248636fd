package shell

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"golang.org/x/term"
)

// errNoTerminal is why nobody can be asked.
var errNoTerminal = errors.New("there is no terminal to ask on")

// errInputEnded is why a question stays without an answer: end of file at the terminal.
var errInputEnded = errors.New("the input ended")

// Asker asks a person for lines. Safe for concurrent use, one question at a time.
type Asker struct {
	screen *Screen
	in     io.Reader // nil without a terminal

	start sync.Once
	lines chan string // closed when the input ends
}

// NewAsker returns who asks on a screen and reads the answers from a file, both of
// which must be terminals for anybody to be asked.
func NewAsker(screen *Screen, in *os.File) *Asker {
	asker := &Asker{screen: screen, lines: make(chan string)}
	if screen.IsTerminal() && term.IsTerminal(int(in.Fd())) {
		asker.in = in
	}
	return asker
}

// canAsk reports whether there is somebody to ask.
func (a *Asker) canAsk() bool { return a.in != nil }

// ask prints a question and returns the line that answers it, without spaces around
// it. The context bounds the wait.
func (a *Asker) ask(ctx context.Context, question string) (string, error) {
	if !a.canAsk() {
		return "", errNoTerminal
	}
	// Reading a terminal cannot be given up, so one goroutine reads until the program ends.
	a.start.Do(func() { go a.read() })
	if _, err := io.WriteString(a.screen.out, question); err != nil {
		return "", fmt.Errorf("ask: %w", err)
	}
	select {
	case line, ok := <-a.lines:
		if !ok {
			return "", errInputEnded
		}
		return strings.TrimSpace(line), nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func (a *Asker) read() {
	defer close(a.lines)
	scanner := bufio.NewScanner(a.in)
	for scanner.Scan() {
		a.lines <- scanner.Text()
	}
}
