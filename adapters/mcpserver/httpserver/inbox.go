package httpserver

import (
	"errors"
	"io"
	"sync"

	"mcp-workbench/application/shares"
	"mcp-workbench/domain/rawjson"
)

const (
	// smallMessage is the maximum size of a message that always gets in: the buffers of net/http
	// hold as much anyway.
	smallMessage = 4 << 10
	// smallBody is the maximum size of a body that is read into one piece of memory, which is
	// kept for the next.
	smallBody = 64 << 10
	// largestPiece is the maximum size of the further pieces of a larger body.
	largestPiece = 1 << 20
)

// Failures to read a body.
var (
	errTooLong = errors.New("the body is over the limit")
	errNoRoom  = errors.New("the bodies that are being read use all the memory for bodies")
)

// bodies bounds the memory of the bodies that are being read, with a share for each holder. Bytes
// count once they arrive; the Content-Length of a request does not. Safe for concurrent use.
type bodies struct {
	arriving *shares.Budget
	inboxes  sync.Pool // of *inbox
	firsts   sync.Pool // of *[smallBody]byte
	pieces   sync.Pool // of *[largestPiece]byte
}

// inbox returns an empty inbox for a message of a holder. giveUp is called when it has to be given up for
// others, and must interrupt reading. Callers close the inbox.
func (b *bodies) inbox(holder string, giveUp func()) *inbox {
	in, _ := b.inboxes.Get().(*inbox)
	if in == nil {
		in = &inbox{bodies: b, scanner: rawjson.NewScanner()}
	}
	in.holder, in.giveUp = holder, giveUp
	return in
}

// inbox reads one message, for one goroutine.
type inbox struct {
	bodies  *bodies
	scanner *rawjson.Scanner
	holder  string
	giveUp  func()
	// first is the beginning of the body, pieces are the rest. The last piece may have room.
	first  []byte
	pieces [][]byte
	size   int64           // of everything that arrived
	held   *shares.Holding // of what is counted, nil while that is nothing
	beyond [1]byte
}

// read reads a body of at most limit bytes. It calls pace before it waits for more. Failures:
// errTooLong, errNoRoom, those of from.
func (i *inbox) read(from io.Reader, limit int64, pace func(arrived int64)) error {
	for {
		room := i.beyond[:]
		if i.size < limit {
			var err error
			if room, err = i.room(limit - i.size); err != nil {
				return err
			}
		}
		pace(i.size)
		if i.held != nil && i.held.IsGivenUp() { // only after this check is pace no obstacle to giveUp
			return errNoRoom
		}
		n, err := from.Read(room)
		if i.size += int64(n); i.size > limit {
			return errTooLong
		}
		i.fill(n)
		switch {
		case i.held != nil && (err != nil && !i.held.Keep() || i.held.IsGivenUp()):
			return errNoRoom
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

// room returns memory for what arrives next, at most left bytes.
func (i *inbox) room(left int64) ([]byte, error) {
	if len(i.pieces) == 0 && len(i.first) < smallBody {
		if len(i.first) == cap(i.first) {
			if err := i.enlarge(); err != nil {
				return nil, err
			}
		}
		return i.first[len(i.first):min(int64(cap(i.first)), int64(len(i.first))+left)], nil
	}
	if len(i.pieces) == 0 || len(i.last()) == cap(i.last()) {
		// It counts twice: in the end the pieces are joined.
		size := min(i.size, largestPiece)
		if !i.count(2 * min(size, left)) {
			return nil, errNoRoom
		}
		i.pieces = append(i.pieces, i.bodies.piece(size)[:0:min(size, left)])
	}
	last := i.last()
	return last[len(last):cap(last)], nil
}

// enlarge makes room in first. Beyond the size of a small message it counts.
func (i *inbox) enlarge() error {
	var larger []byte
	if size := max(2*cap(i.first), 512); size <= smallMessage {
		larger = make([]byte, 0, size)
	} else {
		if !i.count(smallBody) {
			return errNoRoom
		}
		if kept, _ := i.bodies.firsts.Get().(*[smallBody]byte); kept != nil {
			larger = kept[:0]
		} else {
			larger = make([]byte, 0, smallBody)
		}
	}
	i.first = append(larger, i.first...)
	return nil
}

func (i *inbox) last() []byte { return i.pieces[len(i.pieces)-1] }

// fill adds bytes that were read into the room.
func (i *inbox) fill(n int) {
	if len(i.pieces) > 0 {
		last := i.last()
		i.pieces[len(i.pieces)-1] = last[:min(len(last)+n, cap(last))]
	} else {
		i.first = i.first[:min(len(i.first)+n, cap(i.first))]
	}
}

// count adds to the memory of all bodies. It returns false if there is no room for it.
func (i *inbox) count(size int64) (ok bool) {
	if i.held != nil {
		return i.held.Grow(size)
	}
	i.held, ok = i.bodies.arriving.Begin(i.holder, size, i.giveUp)
	return ok
}

// text returns what was read, in one piece that is valid until the inbox is closed.
func (i *inbox) text() []byte {
	if len(i.pieces) == 0 {
		return i.first
	}
	text := append(make([]byte, 0, i.size), i.first...)
	for _, piece := range i.pieces {
		text = append(text, piece...)
	}
	i.giveBack()
	i.first = text
	return text
}

// head returns the beginning of what arrived.
func (i *inbox) head() []byte { return i.first[:min(len(i.first), headSize)] }

// close drops what was read and gives the inbox back.
func (i *inbox) close() {
	i.giveBack()
	if i.held != nil {
		i.held.End()
	}
	if cap(i.first) == smallBody {
		i.bodies.firsts.Put((*[smallBody]byte)(i.first[:smallBody]))
	}
	if i.first = i.first[:0]; cap(i.first) > smallMessage {
		i.first = nil
	}
	i.size, i.held, i.giveUp = 0, nil, nil
	i.bodies.inboxes.Put(i)
}

func (i *inbox) giveBack() {
	for _, piece := range i.pieces {
		i.bodies.recycle(piece)
	}
	i.pieces = nil
}

// piece returns memory of that size.
func (b *bodies) piece(size int64) []byte {
	if size < largestPiece {
		return make([]byte, size)
	}
	if kept, _ := b.pieces.Get().(*[largestPiece]byte); kept != nil {
		return kept[:]
	}
	return make([]byte, largestPiece)
}

func (b *bodies) recycle(piece []byte) {
	if cap(piece) == largestPiece {
		b.pieces.Put((*[largestPiece]byte)(piece[:largestPiece]))
	}
}
