package jsonrpc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync/atomic"
)

// contentLength is the name of the header before a message in the framing of LSP, which a few hosts use. Its other
// header begins in the same way.
const contentLength, headerStart = "content-length", "content-"

// maxHeaders is the maximum size in bytes of the headers before a message.
const maxHeaders = 8 << 10

// HostFraming translates between a host and readers and writers of lines. If the first message of the host has a
// Content-Length in front, as in LSP, all messages in both directions have one; otherwise nothing is changed.
// Read must not be called concurrently, nor must Write.
type HostFraming struct {
	source  io.Reader
	input   *bufio.Reader // over source, for the first bytes and for framed messages
	target  io.Writer
	attempt func([]byte) int
	begun   bool
	framed  atomic.Bool

	body int    // the number of bytes of the present message that are still to be read
	rest []byte // the rest of what Read returns next
	line []byte // the beginning of a line that was not yet written
}

// NewHostFraming returns the framing of a host. Attempt is that of NewWriter.
func NewHostFraming(source io.Reader, target io.Writer, attempt func([]byte) int) *HostFraming {
	return &HostFraming{source: source, input: bufio.NewReader(source), target: target, attempt: attempt}
}

// Read reads the messages of the host as lines.
func (f *HostFraming) Read(buffer []byte) (int, error) {
	if !f.begun {
		f.begun = true
		start, _ := f.input.Peek(1) // its error is that of the next read
		if len(start) == 1 && start[0]|0x20 == headerStart[0] {
			start, _ = f.input.Peek(len(headerStart))
			f.framed.Store(strings.EqualFold(string(start), headerStart))
		}
	}
	switch {
	case f.framed.Load():
		return f.readFramed(buffer)
	case f.input.Buffered() > 0:
		return f.input.Read(buffer)
	}
	return f.source.Read(buffer)
}

// readFramed reads the messages of a host that writes their lengths.
func (f *HostFraming) readFramed(buffer []byte) (int, error) {
	if f.body == 0 && len(f.rest) == 0 {
		if err := f.readHeaders(); err != nil {
			return 0, err
		}
	}
	if f.body == 0 {
		n := copy(buffer, f.rest)
		f.rest = f.rest[n:]
		return n, nil
	}
	n, err := f.input.Read(buffer[:min(len(buffer), f.body)])
	if f.body -= n; f.body == 0 {
		f.rest = []byte{'\n'}
	}
	for i, c := range buffer[:n] {
		if c == '\n' || c == '\r' {
			buffer[i] = ' ' // between tokens, as in JoinLines
		}
	}
	return n, err
}

// readHeaders reads the headers before a message, and notes how long it is. What is there in place of headers is
// passed on as a line, which is answered as one that is no message.
func (f *HostFraming) readHeaders() error {
	length, size := -1, 0
	for {
		header, err := f.input.ReadSlice('\n')
		if size += len(header); errors.Is(err, bufio.ErrBufferFull) || size > maxHeaders {
			return fmt.Errorf("the headers of a message are longer than %d bytes", maxHeaders)
		}
		if err != nil {
			return err
		}
		name, value, _ := bytes.Cut(bytes.TrimSpace(header), []byte{':'})
		switch {
		case len(name) > 0 && strings.EqualFold(string(name), contentLength):
			length, err = strconv.Atoi(string(bytes.TrimSpace(value)))
			if err != nil || length < 0 {
				return fmt.Errorf("the Content-Length %.20q of a message is not a number", bytes.TrimSpace(value))
			}
		case len(name) == 0 && length >= 0:
			f.body = length
			if length == 0 {
				f.rest = []byte{'\n'}
			}
			return nil
		case len(name) > 0 && length < 0 && !isHeaderName(name):
			f.rest = bytes.Clone(header)
			return nil
		}
	}
}

// isHeaderName reports whether text is like the name of a header.
func isHeaderName(text []byte) bool {
	return bytes.IndexFunc(text, func(r rune) bool { return r != '-' && (r|0x20 < 'a' || r|0x20 > 'z') }) < 0
}

// Write writes lines, or parts of them, as the host frames its messages.
func (f *HostFraming) Write(text []byte) (int, error) {
	if !f.framed.Load() {
		return f.target.Write(text)
	}
	written := len(text)
	for {
		line, rest, ended := bytes.Cut(text, []byte{'\n'})
		f.line = append(f.line, line...)
		if !ended {
			return written, nil
		}
		head := "Content-Length: " + strconv.Itoa(len(f.line)) + "\r\n\r\n"
		if _, err := f.target.Write(append([]byte(head), f.line...)); err != nil {
			return 0, err
		}
		f.line, text = f.line[:0], rest
	}
}

// Attempt returns the argument of NewWriter. It writes nothing for a host whose messages have a length in front.
func (f *HostFraming) Attempt() func([]byte) int {
	if f.attempt == nil {
		return nil
	}
	return func(line []byte) int {
		if f.framed.Load() {
			return 0
		}
		return f.attempt(line)
	}
}
