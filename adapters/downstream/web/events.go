package web

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"sync"
	"time"

	"mcp-workbench/adapters/jsonrpc"
)

const (
	// readSize is the size of a read buffer.
	readSize = 16 << 10
	// sampleSize is the number of bytes that are kept of each end of an oversize event, to find its id.
	sampleSize = 4 << 10
	// maxID is the length in bytes of the longest event id that is sent back, and maxName the number
	// of bytes of an event's type that count.
	maxID   = 4 << 10
	maxName = 256
)

// Event is an event of a stream. Its bytes are valid until the next event is read.
type Event struct {
	Type string // "message" when the server names none
	Data []byte
}

// Events reads a stream of server-sent events (WHATWG HTML, section 9.2.6), whose
// lines end in "\n", "\r" or "\r\n". Not safe for concurrent use.
type Events struct {
	lines *bufio.Reader
	limit int
	line  []byte // longer than a read buffer
	data  []byte
	size  int64 // of this event's data, kept or dropped
	kind  string
	id    string // of this event; it counts once the event is complete
	err   error  // that ended the stream
	// isJSON is set when the stream is not events but bare JSON, as some gateways write it; hasBegun
	// once that is known.
	isJSON, hasBegun bool
	// afterCR is set after a line that ended in "\r": a "\n" that follows belongs to that end.
	afterCR bool

	// LastID is the id of the last complete event that had one; the caller may set it before the
	// first read.
	LastID string
	// Retry is the time the server asks to wait before connecting again, 0 if it does not ask.
	Retry time.Duration
}

var readers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, readSize) }}

// NewEvents returns a reader of body for events with at most limit bytes of data.
func NewEvents(body io.Reader, limit int64) *Events {
	lines := readers.Get().(*bufio.Reader)
	lines.Reset(body)
	return &Events{lines: lines, limit: int(limit)}
}

// Release returns the buffers. Nothing may be read afterwards.
func (e *Events) Release() {
	e.lines.Reset(nil)
	readers.Put(e.lines)
	e.lines = nil
}

// Next returns the next event with data. For an event over the limit it returns a
// *jsonrpc.TooLongError, and later events can be read. Any other error is final; it is io.EOF for a
// stream that the server ended.
func (e *Events) Next() (Event, error) {
	e.data, e.size, e.kind, e.id = e.data[:0], 0, "", e.LastID
	for e.err == nil {
		line, err := e.readLine()
		e.err = err
		if len(line) > 0 {
			e.field(line)
			continue
		}
		if err != nil {
			break
		}
		e.LastID = e.id
		if e.size > 0 {
			return e.event()
		}
		e.kind = ""
	}
	if e.size == 0 || !e.isWhole() {
		return Event{}, e.err
	}
	e.LastID = e.id
	return e.event()
}

// isWhole reports whether the event at the end of a stream, without a blank line after it, is known to be whole.
//
// Decision: the format of events drops it. Many servers leave the blank line out after their last answer, though,
// and no part of a message is an object. Such an event counts if the server ended the stream.
func (e *Events) isWhole() bool {
	switch {
	case !errors.Is(e.err, io.EOF):
		return false
	case e.isJSON || e.size > int64(e.limit):
		return true
	}
	return (e.kind == "" || e.kind == "message") && bytes.HasPrefix(e.data, []byte{'{'}) && json.Valid(e.data)
}

func (e *Events) event() (Event, error) {
	if e.size > int64(e.limit) {
		return Event{}, &jsonrpc.TooLongError{
			Limit: e.limit, Size: e.size,
			Head: bytes.Clone(e.data[:min(sampleSize, len(e.data))]), Tail: bytes.Clone(e.data[max(0, len(e.data)-sampleSize):]),
		}
	}
	return Event{Type: cmp.Or(e.kind, "message"), Data: e.data}, nil
}

// readLine returns a line without its line end, as soon as that is read. Of a line over the limit it
// returns only the beginning and the end.
func (e *Events) readLine() ([]byte, error) {
	e.line = e.line[:0]
	dropped := 0
	for {
		chunk, err := e.unread()
		if err != nil {
			e.size += int64(dropped)
			return e.line, err
		}
		end := lineEnd(chunk)
		line := chunk
		if end >= 0 {
			line = chunk[:end]
			e.afterCR = chunk[end] == '\r'
			_, _ = e.lines.Discard(end + 1) // it is buffered
			if len(e.line) == 0 {
				return line, nil
			}
		}
		e.line, dropped = e.keep(append(e.line, line...), dropped)
		if end >= 0 {
			e.size += int64(dropped)
			return e.line, nil
		}
		_, _ = e.lines.Discard(len(chunk)) // it is buffered
	}
}

// unread waits for input that was not read yet and returns it. A line end of two bytes counts as
// one, even if the bytes come separately.
func (e *Events) unread() ([]byte, error) {
	first, err := e.lines.Peek(1)
	if err == nil && e.afterCR && first[0] == '\n' {
		_, _ = e.lines.Discard(1) // it is buffered
		e.afterCR = false
		_, err = e.lines.Peek(1)
	}
	if err != nil {
		return nil, err
	}
	e.afterCR = false
	return e.lines.Peek(e.lines.Buffered())
}

// lineEnd returns the index of a line's end, -1 for none.
func lineEnd(text []byte) int {
	end := bytes.IndexByte(text, '\n')
	if end >= 0 {
		text = text[:end]
	}
	if cr := bytes.IndexByte(text, '\r'); cr >= 0 {
		return cr
	}
	return end
}

// keep cuts a line over the limit down to its beginning and end.
func (e *Events) keep(line []byte, dropped int) ([]byte, int) {
	if len(line) <= e.limit+len("data: ")+2*sampleSize {
		return line, dropped
	}
	tail := line[len(line)-sampleSize:]
	return append(line[:sampleSize], tail...), dropped + len(line) - 2*sampleSize
}

// field handles one line of an event.
func (e *Events) field(line []byte) {
	if !e.hasBegun {
		e.hasBegun, e.isJSON = true, bytes.HasPrefix(bytes.TrimPrefix(line, []byte("\ufeff")), []byte{'{'})
	}
	if e.isJSON { // no field of an event begins so
		e.addData(line)
		return
	}
	name, value, _ := bytes.Cut(line, []byte{':'})
	value = bytes.TrimPrefix(value, []byte{' '})
	switch string(bytes.TrimPrefix(name, []byte("\ufeff"))) {
	case "data":
		e.addData(value)
	case "event":
		e.kind = string(value[:min(len(value), maxName)])
	case "id":
		if bytes.IndexByte(value, 0) < 0 && len(value) <= maxID {
			e.id = string(value)
		}
	case "retry":
		if ms, err := strconv.ParseUint(string(value), 10, 31); err == nil {
			e.Retry = time.Duration(ms) * time.Millisecond
		}
	}
}

// addData appends a line to the data. Lines are joined by a line feed, as the format of events requires.
func (e *Events) addData(value []byte) {
	if len(e.data) > 0 {
		e.data = append(e.data, '\n')
		e.size++
	}
	e.size += int64(len(value))
	if len(e.data)+len(value) > e.limit+2*sampleSize {
		value = value[max(0, len(value)-sampleSize):]
		e.data = e.data[:min(len(e.data), e.limit)]
	}
	e.data = append(e.data, value...)
}
