package wire

import (
	"bytes"
	"io"
)

// firstBuffer is the size of a pipe on Linux, so that small messages are
// read in one go.
const firstBuffer = 64 << 10

// Lines reads newline-delimited messages of any length. The buffer grows to the
// longest line and stays that long.
type Lines struct {
	source io.Reader
	buf    []byte
	// buf[start:end] is unread, and buf[start:seen] contains no newline.
	start, seen, end int
	reads            int
}

// NewLines reads from source.
func NewLines(source io.Reader) *Lines {
	return &Lines{source: source, buf: make([]byte, firstBuffer)}
}

// Next returns the next line without its newline. The bytes are valid until the
// following call. An incomplete last line is dropped, since
// no message ends without a newline.
func (l *Lines) Next() ([]byte, error) {
	for {
		if at := bytes.IndexByte(l.buf[l.seen:l.end], '\n'); at >= 0 {
			line := l.buf[l.start : l.seen+at]
			l.start = l.seen + at + 1
			l.seen = l.start
			return line, nil
		}
		l.seen = l.end
		l.makeRoom()
		l.reads++
		Yield(l.reads)
		n, err := l.source.Read(l.buf[l.end:])
		l.end += n
		if n == 0 && err != nil {
			return nil, err
		}
	}
}

// makeRoom moves the unread bytes to the front and doubles a full buffer.
func (l *Lines) makeRoom() {
	if l.start == l.end {
		l.start, l.seen, l.end = 0, 0, 0
	}
	if l.end < len(l.buf) {
		return
	}
	target := l.buf
	if l.start < len(l.buf)/2 {
		target = make([]byte, 2*len(l.buf))
	}
	copy(target, l.buf[l.start:l.end])
	l.buf = target
	l.seen -= l.start
	l.end -= l.start
	l.start = 0
}
