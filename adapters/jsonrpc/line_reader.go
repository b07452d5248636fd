package jsonrpc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
)

const (
	// smallBuffer is the initial size of a read buffer: the capacity of a pipe, so that one
	// read gets everything that one write can put there.
	smallBuffer = 64 << 10
	// sampleSize is the number of bytes that are kept of each end of an oversize line, to find its id.
	sampleSize = 4 << 10
	// blanks may be around objects that need no end of a line.
	blanks = "\r\x00 \t"
)

// LineReader reads lines up to a maximum length. It is not safe for concurrent use.
type LineReader struct {
	source io.Reader
	limit  int
	buf    []byte // unread bytes are buf[start:end]
	small  []byte // kept while buf is a large one
	start  int
	end    int
	reads  int  // the number of reads
	begun  bool // whether the first line was read
	err    error

	// unfinished is called with the beginning of a line before the reader waits for the rest, nil for a reader of lines only.
	unfinished func(text []byte)
	lacksEnd   bool // whether the last line had no end
}

// NewLineReader returns a reader of source whose lines have at most limit bytes.
func NewLineReader(source io.Reader, limit int64) *LineReader {
	small := make([]byte, smallBuffer)
	return &LineReader{source: source, limit: int(limit), buf: small, small: small}
}

// NewMessageReader returns a LineReader that also returns whole objects before the end of their line, as soon as it
// would have to wait for more. They may be followed by a carriage return or a null byte. Before it waits for the rest of
// another line, it calls unfinished with the first bytes of that line, which are valid during the call.
func NewMessageReader(source io.Reader, limit int64, unfinished func(text []byte)) *LineReader {
	reader := NewLineReader(source, limit)
	reader.unfinished = unfinished
	return reader
}

// TooLongError reports a line above the limit. The line was read to its end and dropped; the
// next line can be read.
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

// byteOrderMark is U+FEFF in UTF-8. .NET and PowerShell write it before the first message.
const byteOrderMark = "\ufeff"

// Next returns the next line without its end ("\n" or "\r\n"), the first one without a byte order mark. The line is valid
// until the next call. A last line without an end is returned together with io.EOF. For a line over the
// limit the error is a *TooLongError; any other error is final.
func (r *LineReader) Next() ([]byte, error) {
	line, err := r.next()
	if !r.begun {
		r.begun = true
		line = bytes.TrimPrefix(line, []byte(byteOrderMark))
	}
	return line, err
}

func (r *LineReader) next() ([]byte, error) {
	scanned := r.start
	var brackets Brackets
	for {
		if i := bytes.IndexByte(r.buf[scanned:r.end], '\n'); i >= 0 {
			line := r.buf[r.start : scanned+i]
			r.start = scanned + i + 1
			r.lacksEnd = false
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
		if r.unfinished != nil && r.end > r.start {
			if objects := r.wholeObjects(&brackets, r.buf[scanned:r.end]); objects != nil {
				r.start, r.lacksEnd = r.end, true
				return objects, nil
			}
			r.unfinished(r.buf[r.start:min(r.end, r.start+sampleSize)])
		}
		r.makeRoom()
		scanned = r.end
		r.fill()
	}
}

// wholeObjects returns the unread bytes if they are whole objects that need no end of a line, without the blanks around
// them, otherwise nil. Brackets are those of the bytes before added, so that each byte costs once, in however many reads
// they come. Of a source that ends its lines only the first bytes of a line are looked at.
func (r *LineReader) wholeObjects(brackets *Brackets, added []byte) []byte {
	if !r.lacksEnd && r.end-r.start > smallBuffer {
		return nil
	}
	brackets.Add(added)
	if !brackets.AreObjects() || !bytes.HasSuffix(bytes.TrimRight(added, blanks), []byte{'}'}) {
		return nil
	}
	return bytes.Trim(r.buf[r.start:r.end], blanks)
}

// HasNext reports whether another line is buffered, so that Next will not wait.
func (r *LineReader) HasNext() bool {
	return bytes.IndexByte(r.buf[r.start:r.end], '\n') >= 0
}

// makeRoom makes free space after the unread bytes, which it may move. It gives an empty large
// buffer back, since the next line is probably a small one.
func (r *LineReader) makeRoom() {
	switch {
	case r.start == r.end:
		r.start, r.end = 0, 0
		if len(r.buf) > smallBuffer {
			putLarge(r.buf)
			r.buf = r.small
		}
		return
	case r.end < len(r.buf):
		return
	}
	full := r.buf
	if size := r.grown(len(full)); size > len(full) && r.end-r.start > len(full)/2 {
		r.buf = takeLargest(size)
	}
	r.end = copy(r.buf, full[r.start:r.end])
	r.start = 0 // the buffer before is not kept, since the longest message so far needs memory for itself
}

// grown returns the size of the buffer after one of a given size. It grows fast, but never much
// too far: a buffer has to contain at most a line of the limit and one more read.
func (r *LineReader) grown(size int) int {
	if size < 4<<20 {
		size *= 2
	}
	if size *= 2; size >= r.limit {
		return r.limit + smallBuffer
	}
	return size
}

// readsToYield is the number of reads after which a reader yields. The runtime's monitor takes a
// goroutine that only blocks in reads for one that runs for too long: after 10 ms it preempts
// the goroutine every 20 µs, in the middle of reads. Yielding resets that, which saves a tenth
// of the CPU time of a small call.
const readsToYield = 64

// fill reads once.
func (r *LineReader) fill() {
	if r.reads++; r.reads%readsToYield == 0 {
		runtime.Gosched()
	}
	n, err := r.source.Read(r.buf[r.end:])
	r.end += n
	if err != nil {
		r.err = err
	}
}

// skipLine reads to the end of the line at the start of the buffer, keeping only both ends of
// the line. If the source fails first, the error is kept for Next.
func (r *LineReader) skipLine() error {
	tooLong := r.tooLong(r.buf[r.start:r.end])
	tail := bytes.Clone(tooLong.Tail)
	for {
		r.start, r.end = 0, 0
		if r.err != nil {
			break
		}
		r.fill()
		rest := r.buf[:r.end]
		i := bytes.IndexByte(rest, '\n')
		if i >= 0 {
			rest = rest[:i]
			r.start = i + 1
		}
		tooLong.Size += int64(len(rest))
		tail = append(tail, rest[max(0, len(rest)-sampleSize):]...)
		tail = append(tail[:0], tail[max(0, len(tail)-sampleSize):]...)
		if i >= 0 {
			break
		}
	}
	tooLong.Tail = tail
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

// IsEnd reports whether err means that the source of lines has ended, with or without a failure,
// and not just that one line was too long.
func IsEnd(err error) bool {
	_, tooLong := errors.AsType[*TooLongError](err)
	return err != nil && !tooLong
}
