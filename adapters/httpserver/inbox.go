package httpserver

import (
	"errors"
	"io"
	"sync"
	"sync/atomic"

	"mcp-workbench/domain/rawjson"
)

const (
	// smallBody is the maximum size of a body that is read into one piece of memory, which is
	// kept for the next.
	smallBody = 64 << 10
	// largestPiece is the maximum size of the further pieces of a larger body.
	largestPiece = 1 << 20
	// All bodies that are being read can together have the size of bodiesAtOnce messages of the
	// largest size, or leastBodies bytes if that is more.
	bodiesAtOnce = 4
	leastBodies  = 16 << 20
	// partForSmall is the part of the bound that only small bodies can use: a sixteenth.
	partForSmall = 16
)

// Failures to read a body.
var (
	errTooLong = errors.New("the body is over the limit")
	errNoRoom  = errors.New("the bodies that are being read use all the memory for bodies")
)

// bodies bounds the memory of the bodies that are being read. Bytes count once they arrive; the
// Content-Length of a request does not. Safe for concurrent use.
type bodies struct {
	most int64
	held atomic.Int64
	// underWay is the number of bytes of large requests that are not answered yet.
	underWay atomic.Int64
	inboxes  sync.Pool // of *inbox
	pieces   sync.Pool // of *[largestPiece]byte
}

// begin counts a request as under way if it is large. It returns false if there are too many;
// otherwise end must be called when the request was answered.
func (b *bodies) begin(size int64) bool {
	if size > smallBody && b.underWay.Add(size) > b.most {
		b.underWay.Add(-size)
		return false
	}
	return true
}

// end counts a request as answered.
func (b *bodies) end(size int64) {
	if size > smallBody {
		b.underWay.Add(-size)
	}
}

// inbox returns an empty inbox. Callers close it.
func (b *bodies) inbox() *inbox {
	in, _ := b.inboxes.Get().(*inbox)
	if in == nil {
		in = &inbox{bodies: b, scanner: rawjson.NewScanner()}
	}
	in.held = int64(cap(in.first))
	b.held.Add(in.held)
	return in
}

// inbox reads one message, for one goroutine.
type inbox struct {
	bodies  *bodies
	scanner *rawjson.Scanner
	// first is the beginning of the body, pieces are the rest. The last piece may have room.
	first  []byte
	pieces [][]byte
	size   int64 // of everything that arrived
	held   int64 // bytes that are counted for it
	beyond [1]byte
}

// read reads a body of at most limit bytes. Failures: errTooLong, errNoRoom, those of from.
func (i *inbox) read(from io.Reader, limit int64) error {
	for {
		room := i.beyond[:]
		if i.size < limit {
			var err error
			if room, err = i.room(limit - i.size); err != nil {
				return err
			}
		}
		n, err := from.Read(room)
		if i.size += int64(n); i.size > limit {
			return errTooLong
		}
		i.fill(n)
		switch {
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
			larger := min(max(2*cap(i.first), 512), smallBody)
			if !i.count(int64(larger-cap(i.first)), i.bodies.most) {
				return nil, errNoRoom
			}
			i.first = append(make([]byte, 0, larger), i.first...)
		}
		return i.first[len(i.first):min(int64(cap(i.first)), int64(len(i.first))+left)], nil
	}
	if len(i.pieces) == 0 || len(i.last()) == cap(i.last()) {
		// It counts twice: in the end the pieces are joined.
		size := min(i.size, largestPiece)
		if !i.count(2*min(size, left), i.bodies.most-i.bodies.most/partForSmall) {
			return nil, errNoRoom
		}
		i.pieces = append(i.pieces, i.bodies.piece(size)[:0:min(size, left)])
	}
	last := i.last()
	return last[len(last):cap(last)], nil
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

// count adds to the memory of all bodies. It returns false if that would exceed most.
func (i *inbox) count(size, most int64) bool {
	if i.bodies.held.Add(size) > most {
		i.bodies.held.Add(-size)
		return false
	}
	i.held += size
	return true
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
	i.bodies.held.Add(-i.held)
	i.size, i.held = 0, 0
	if i.first = i.first[:0]; cap(i.first) > smallBody {
		i.first = nil
	}
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
