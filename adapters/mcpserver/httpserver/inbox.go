package httpserver

import (
	"errors"
	"io"
	"sync"

	"mcp-workbench/application/shares"
	"mcp-workbench/domain/rawjson"
)

// smallMessage is the maximum size of a message that always gets in, and of an answer that is always sent: the
// buffers of net/http hold as much anyway.
const smallMessage = 4 << 10

// Failures to read a body.
var (
	errTooLong = errors.New("the body is over the limit")
	errNoRoom  = errors.New("the bodies that are being read use all the memory for bodies")
)

// bodies bounds the memory of the bodies that are being read, with a share for each holder. It counts the bytes
// that arrive, not the Content-Length of a request. Safe for concurrent use.
type bodies struct {
	arriving *shares.Budget
	inboxes  sync.Pool // of *inbox
}

// inbox returns an empty inbox for the message of a request of a holder. giveUp must interrupt the reading; it is called if
// others need the memory of the message. Callers close the inbox.
func (b *bodies) inbox(holder string, giveUp func()) *inbox {
	in, _ := b.inboxes.Get().(*inbox)
	if in == nil {
		in = &inbox{bodies: b, scanner: rawjson.NewScanner()}
	}
	in.held = b.arriving.Admit(holder, requestCost, giveUp)
	return in
}

// inbox reads one message, for one goroutine.
type inbox struct {
	bodies  *bodies
	scanner *rawjson.Scanner
	text    []byte          // what arrived, valid until the inbox is closed
	counted int64           // bytes of held, besides requestCost
	held    *shares.Holding // of the request and text
}

// read reads a body of at most limit bytes. It calls pace before it waits for more. Failures:
// errTooLong, errNoRoom, those of from.
func (i *inbox) read(from io.Reader, limit int64, pace func(arrived int64)) error {
	for {
		if len(i.text) == cap(i.text) && !i.enlarge(limit) {
			return errNoRoom
		}
		pace(int64(len(i.text)))
		if i.held.IsGivenUp() { // pace may just have undone the interruption by giveUp
			return errNoRoom
		}
		n, err := from.Read(i.text[len(i.text):cap(i.text)])
		if i.text = i.text[:len(i.text)+n]; int64(len(i.text)) > limit {
			return errTooLong
		}
		switch {
		case err != nil && !i.held.Keep() || i.held.IsGivenUp():
			return errNoRoom
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

// enlarge makes room for more of a body, at most for one byte over the limit. It reports whether the memory for
// bodies allows that. The text counts twice, since it is copied whenever it grows.
func (i *inbox) enlarge(limit int64) bool {
	const smallest = 512
	size := min(max(2*int64(cap(i.text)), smallest), limit+1)
	if size > smallMessage {
		more := 2*min(size, limit) - i.counted
		if !i.held.Grow(more) {
			return false
		}
		i.counted += more
	}
	i.text = append(make([]byte, 0, size), i.text...)
	return true
}

// head returns the beginning of what arrived.
func (i *inbox) head() []byte { return i.text[:min(len(i.text), headSize)] }

// close drops what was read and gives the inbox back.
func (i *inbox) close() {
	i.held.End()
	if i.text = i.text[:0]; cap(i.text) > smallMessage {
		i.text = nil
	}
	i.counted, i.held = 0, nil
	i.bodies.inboxes.Put(i)
}
