package terminal

import (
	"bufio"
	"context"
	"os"
	"strings"
	"sync"
)

// input reads lines and keys. Safe for concurrent use; readers take turns.
type input struct {
	file  *os.File
	lines chan typed // one line from the reading goroutine
	// buffer is allocated at the first read, since most processes never read lines.
	buffer func() *bufio.Reader

	mu        sync.Mutex
	isReading bool // a goroutine is reading a line
}

// typed is a line, or the error of reading one.
type typed struct {
	line string
	err  error
}

func newInput(file *os.File) *input {
	return &input{
		file: file, lines: make(chan typed, 1), buffer: sync.OnceValue(func() *bufio.Reader { return bufio.NewReader(file) }),
	}
}

// line returns the next line without its end. Reads from a terminal cannot be cancelled: if the context
// ends first, the reading goroutine continues, and the next call gets its line unless forget dropped
// it.
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

// forget drops unread input.
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
