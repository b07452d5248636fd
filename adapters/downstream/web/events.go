package web

import (
	"bufio"
	"bytes"
	"cmp"
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
	// sampleSize is how much of each end of an oversize event is kept, to find its id
	// there.
	sampleSize = 4 << 10
)

// Event is one event of a stream. Its bytes are valid until the next one is read.
type Event struct {
	Type string // "message" when the server names none
	Data []byte
}

// Events reads a stream of server-sent events (WHATWG HTML, section 9.2.6), whose
// lines end in "\n" or "\r\n". It is for one goroutine.
type Events struct {
	lines *bufio.Reader
	limit int
	line  []byte // of more than a read buffer
	data  []byte
	size  int64 // of the data of this event, kept or not
	kind  string
	id    string // of this event; it counts once the event is whole
	err   error  // that the stream ended with

	// LastID is the id of the last whole event that had one; the caller may set it
	// before the first is read.
	LastID string
	// Retry is how long the server wants a client to wait before it connects again, 0
	// when it did not say.
	Retry time.Duration
}

var readers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, readSize) }}

// NewEvents returns a reader of body whose events hold at most limit bytes of data.
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

// Next returns the next event with data. An event over the limit is a
// *jsonrpc.TooLongError, and the next one can be read; any other error is final,
// io.EOF for a stream that ended in order.
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
			break // the last event may be complete
		}
		e.LastID = e.id
		if e.size > 0 {
			return e.event()
		}
		e.kind = ""
	}
	if e.size > 0 {
		return e.event()
	}
	return Event{}, e.err
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

// readLine returns a line without its line end. Of a line over the limit it returns
// only the beginning and the end.
func (e *Events) readLine() ([]byte, error) {
	line, err := e.lines.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return trimEnd(line), err
	}
	e.line = e.line[:0]
	dropped := 0
	for errors.Is(err, bufio.ErrBufferFull) {
		e.line, dropped = e.keep(append(e.line, line...), dropped)
		line, err = e.lines.ReadSlice('\n')
	}
	e.line, dropped = e.keep(append(e.line, line...), dropped)
	e.size += int64(dropped)
	return trimEnd(e.line), err
}

// keep cuts a line over the limit down to its beginning and end.
func (e *Events) keep(line []byte, dropped int) ([]byte, int) {
	if len(line) <= e.limit+len("data: ")+2*sampleSize {
		return line, dropped
	}
	tail := line[len(line)-sampleSize:]
	return append(line[:sampleSize], tail...), dropped + len(line) - 2*sampleSize
}

func trimEnd(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte{'\n'}), []byte{'\r'})
}

// field takes one line of an event.
func (e *Events) field(line []byte) {
	name, value, _ := bytes.Cut(line, []byte{':'})
	value = bytes.TrimPrefix(value, []byte{' '})
	switch string(bytes.TrimPrefix(name, []byte("\ufeff"))) {
	case "data":
		e.addData(value)
	case "event":
		e.kind = string(value)
	case "id":
		if bytes.IndexByte(value, 0) < 0 {
			e.id = string(value)
		}
	case "retry":
		if ms, err := strconv.ParseUint(string(value), 10, 31); err == nil {
			e.Retry = time.Duration(ms) * time.Millisecond
		}
	}
}

// addData adds a line to the data. Lines are joined by a space, so that the data
// stays one line: between the tokens of JSON it means the same as a line end.
func (e *Events) addData(value []byte) {
	if len(e.data) > 0 {
		e.data = append(e.data, ' ')
		e.size++
	}
	e.size += int64(len(value))
	if len(e.data)+len(value) > e.limit+2*sampleSize {
		value = value[max(0, len(value)-sampleSize):]
		e.data = e.data[:min(len(e.data), e.limit)]
	}
	e.data = append(e.data, value...)
}
