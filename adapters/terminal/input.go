package terminal

import (
	"bufio"
	"context"
	"os"
	"strings"
	"sync"
)

// input reads what a person types. Safe for concurrent use, but one reads at a time.
type input struct {
	file  *os.File
	lines chan typed // what the goroutine that reads found, for one line
	// buffer is made at the first read: most processes never read lines.
	buffer func() *bufio.Reader

	mu        sync.Mutex
	isReading bool // a goroutine reads a line
}

// typed is a line, or why there is none.
type typed struct {
	line string
	err  error
}

func newInput(file *os.File) *input {
	return &input{
		file: file, lines: make(chan typed, 1), buffer: sync.OnceValue(func() *bufio.Reader { return bufio.NewReader(file) }),
	}
}

// line returns the next line without its end. Reading a terminal cannot be given up: when
// the context ends first, the goroutine that reads stays, and the next question gets what
// it finds, unless forget dropped it.
func (i *input) line(ctx context.Context) (string, error) {
	i.mu.Lock()
	if !i.isReading {
		if ctx.Done() == nil {
			i.mu.Unlock()
			found := i.read()
			return found.line, found.err
		}
		i.isReading = true
		go func() { i.lines <- i.read() }()
	}
	i.mu.Unlock()
	select {
	case found := <-i.lines:
		i.mu.Lock()
		i.isReading = false
		i.mu.Unlock()
		return found.line, found.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func (i *input) read() typed {
	line, err := i.buffer().ReadString('\n')
	if line != "" {
		err = nil // the last line may have no end
	}
	return typed{strings.TrimRight(line, "\r\n"), err}
}

// forget drops what was typed and not read yet.
func (i *input) forget() {
	drop(i.file)
	i.mu.Lock()
	defer i.mu.Unlock()
	select {
	case <-i.lines:
		i.isReading = false
	default:
	}
	if !i.isReading {
		i.buffer().Reset(i.file)
	}
}
