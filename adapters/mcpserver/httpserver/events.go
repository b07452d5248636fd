package httpserver

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// eventWriter writes server-sent events.
type eventWriter struct {
	to      io.Writer
	control *http.ResponseController
	stream  uint64
	named   bool // events have ids
	buffer  bytes.Buffer
	sends   *sends
	holder  string
	request *http.Request
}

// newEventWriter begins a response that is a stream. named says that its events have ids.
func newEventWriter(w http.ResponseWriter, r *http.Request, sends *sends, holder string, stream uint64, named bool) *eventWriter {
	header := w.Header()
	header.Set("Content-Type", contentEvents)
	header.Set("Cache-Control", "no-cache, no-transform")
	header.Set("X-Accel-Buffering", "no") // nginx would keep events back
	w.WriteHeader(http.StatusOK)
	return &eventWriter{to: w, control: http.NewResponseController(w), stream: stream, named: named, sends: sends, holder: holder, request: r}
}

// prime begins with an event without a message. A host whose stream is cut can resume from
// the id of that event, after a second. The protocol requires its data to be empty
// (2025-11-25, basic/transports).
func (o *eventWriter) prime() {
	o.name(0)
	o.buffer.WriteString("retry: 1000\ndata: \n\n")
}

func (o *eventWriter) name(number uint64) { fmt.Fprintf(&o.buffer, "id: %d-%d\n", o.stream, number) }

// send writes what prime left in the buffer, and then the events. It returns false if the
// host is gone.
func (o *eventWriter) send(events []event) bool {
	for _, e := range events {
		if o.named {
			o.name(e.number)
		}
		for line := range bytes.Lines(e.text) {
			o.buffer.WriteString("data: ")
			// A carriage return in JSON is white space, and here it would end the line.
			o.buffer.Write(bytes.ReplaceAll(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"), nil))
			o.buffer.WriteByte('\n')
		}
		o.buffer.WriteByte('\n')
	}
	return o.flush()
}

// comment writes a line that hosts ignore.
func (o *eventWriter) comment() bool {
	o.buffer.WriteString(": alive\n\n")
	return o.flush()
}

// maxEventBuffer is the maximum size of a buffer that is kept for the next event.
const maxEventBuffer = 64 << 10

func (o *eventWriter) flush() bool {
	setWriteDeadline(o.control, o.buffer.Len())
	end := o.sends.begin(o.request, o.holder, 2*o.buffer.Len(), o.control) // the events are held beside their text
	_, err := o.to.Write(o.buffer.Bytes())
	if err == nil {
		err = o.control.Flush()
	}
	end()
	if o.buffer.Cap() > maxEventBuffer {
		o.buffer = bytes.Buffer{}
	}
	o.buffer.Reset()
	return err == nil
}

// eventID reads the id of an event: the numbers of its stream and of itself.
func eventID(text string) (stream, number uint64, ok bool) {
	before, after, _ := strings.Cut(text, "-")
	stream, err := strconv.ParseUint(before, 10, 64)
	if err != nil {
		return 0, 0, false
	}
	number, err = strconv.ParseUint(after, 10, 64)
	return stream, number, err == nil
}
