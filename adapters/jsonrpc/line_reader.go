package jsonrpc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

const (
	// firstBuffer is the size of a fresh read buffer: the capacity of a pipe, so
	// that one read takes what one write could put there.
	firstBuffer = 64 << 10
	// keepWhole is the size from which a kept line takes its buffer with it
	// instead of being copied: from there on it fills half of it or more.
	keepWhole = 32 << 10
	// sampleSize is how much of each end of an oversize line is kept to find its
	// id in.
	sampleSize = 4 << 10
)

// LineReader reads lines of any length up to a limit. It is for one goroutine.
type LineReader struct {
	source io.Reader
	limit  int
	buf    []byte // unread bytes are buf[start:end]
	start  int
	end    int
	kept   bool // a kept line lives in buf
	err    error
}

// NewLineReader returns a reader of source whose lines hold at most limit bytes.
func NewLineReader(source io.Reader, limit int64) *LineReader {
	return &LineReader{source: source, limit: int(limit), buf: make([]byte, firstBuffer)}
}

// TooLongError is a line that went past the limit. It was read to its end and
// dropped; the next line can be read.
type TooLongError struct {
	Limit int
	// Size is the length of the line in bytes.
	Size int64
	// Head and Tail are the ends of the line, a few KiB each.
	Head, Tail []byte
}

func (e *TooLongError) Error() string {
	return fmt.Sprintf("a message of %d bytes is over the limit of %d", e.Size, e.Limit)
}

// Next returns the next line without its end ("\n" or "\r\n"). The line is valid
// until the following call; what is needed longer goes through Keep. A last line
// without an end comes together with io.EOF. A line over the limit is a
// *TooLongError; any other error is final.
func (r *LineReader) Next() ([]byte, error) {
	r.release()
	scanned := r.start
	for {
		if i := bytes.IndexByte(r.buf[scanned:r.end], '\n'); i >= 0 {
			line := r.buf[r.start : scanned+i]
			r.start = scanned + i + 1
			if len(line) > r.limit {
				return nil, r.tooLong(line)
			}
			return bytes.TrimSuffix(line, []byte{'\r'}), nil
		}
		if r.end-r.start > r.limit {
			return nil, r.skipLine()
		}
		if r.err != nil {
			line := r.buf[r.start:r.end]
			r.start = r.end
			return line, r.err
		}
		scanned = r.end - r.makeRoom()
		r.fill()
	}
}

// Keep returns span, a part of the line that Next returned last, in memory that
// stays valid. Long lines are not copied: the reader leaves them its buffer.
func (r *LineReader) Keep(span []byte) []byte {
	if span == nil {
		return nil
	}
	if len(span) < keepWhole {
		return bytes.Clone(span)
	}
	r.kept = true
	return span[:len(span):len(span)]
}

// Buffered reports whether bytes are at hand that Next has not returned yet.
func (r *LineReader) Buffered() bool { return r.start < r.end }

// release gives the buffer up if a kept line lives in it.
func (r *LineReader) release() {
	if !r.kept {
		return
	}
	r.kept = false
	rest := r.buf[r.start:r.end]
	r.buf = make([]byte, max(firstBuffer, 2*len(rest)))
	r.start, r.end = 0, copy(r.buf, rest)
}

// makeRoom sees to free space behind the unread bytes and returns by how much
// they moved towards the front.
func (r *LineReader) makeRoom() int {
	if r.start == r.end {
		r.start, r.end = 0, 0
		return 0
	}
	if r.end < len(r.buf) {
		return 0
	}
	moved := r.start
	target := r.buf
	if r.end-r.start > len(r.buf)/2 {
		target = make([]byte, 2*len(r.buf))
	}
	r.end = copy(target, r.buf[r.start:r.end])
	r.start, r.buf = 0, target
	return moved
}

// fill reads once.
func (r *LineReader) fill() {
	n, err := r.source.Read(r.buf[r.end:])
	r.end += n
	if err != nil {
		r.err = err
	}
}

// skipLine reads to the end of the line that the buffer begins with, keeping
// only its ends. The error of a source that ends first is kept for Next.
func (r *LineReader) skipLine() error {
	tooLong := r.tooLong(r.buf[r.start:r.end])
	tail := bytes.Clone(r.buf[r.end-min(sampleSize, r.end-r.start) : r.end])
	r.buf = make([]byte, firstBuffer)
	for {
		r.start, r.end = 0, 0
		if r.err != nil {
			break
		}
		r.fill()
		if i := bytes.IndexByte(r.buf[:r.end], '\n'); i >= 0 {
			tooLong.Size += int64(i)
			tail = append(tail, r.buf[:i]...)
			r.start = i + 1
			break
		}
		tooLong.Size += int64(r.end)
		tail = append(tail, r.buf[:r.end]...)
		tail = append(tail[:0], tail[max(0, len(tail)-sampleSize):]...)
	}
	tooLong.Tail = tail[max(0, len(tail)-sampleSize):]
	return tooLong
}

func (r *LineReader) tooLong(line []byte) *TooLongError {
	return &TooLongError{
		Limit: r.limit,
		Size:  int64(len(line)),
		Head:  bytes.Clone(line[:min(sampleSize, len(line))]),
		Tail:  bytes.Clone(line[max(0, len(line)-sampleSize):]),
	}
}

// IsEnd reports whether err says that the source of lines ended, in order or
// not, rather than that one line could not be read.
func IsEnd(err error) bool {
	_, tooLong := errors.AsType[*TooLongError](err)
	return err != nil && !tooLong
}
