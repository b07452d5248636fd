package jsonrpc

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
)

const (
	// queueLimit is how many bytes may wait in a Writer before senders have to.
	queueLimit = 1 << 20
	// copyBelow is the size up to which frames that wait share a write; a larger
	// one is written from where it is if nothing waits before it.
	copyBelow = 32 << 10
	// pieceSize bounds one write, so that a slow reader shows as slow and not as
	// stuck.
	pieceSize = 256 << 10
)

var (
	// ErrWriterClosed means that the writer was closed before the frame was taken.
	ErrWriterClosed = errors.New("the connection is closed")
	// ErrQueueFull means that too much waits to be written already.
	ErrQueueFull = errors.New("the other side does not read")
)

// Writer writes frames as lines, whole and in the order in which they were
// handed in. A frame that can go out at once is written by its sender; the rest
// waits for a goroutine of the writer, so that a slow reader delays no sender that
// need not wait for it. Safe for concurrent use.
type Writer struct {
	target io.Writer
	// attempt writes what can be written without waiting and returns how much that
	// was; nil when the target cannot tell.
	attempt func([]byte) int

	mu      sync.Mutex
	queue   [][]byte
	queued  int    // bytes
	scratch []byte // what attempt is given; reused
	busy    bool   // somebody writes without holding the lock
	closed  bool
	err     error
	wake    chan struct{} // tells the goroutine that there may be work
	room    chan struct{} // closed and replaced whenever bytes leave the queue
	stopped chan struct{} // closed when the goroutine has ended
}

// NewWriter returns a writer to target and starts its goroutine, which Close
// ends. Attempt may be nil; see NonblockingWrite.
func NewWriter(target io.Writer, attempt func([]byte) int) *Writer {
	w := &Writer{
		target: target, attempt: attempt,
		wake: make(chan struct{}, 1), room: make(chan struct{}), stopped: make(chan struct{}),
	}
	go w.writeQueue()
	return w
}

// TryWrite hands a frame in without ever waiting. It fails with ErrQueueFull, and
// takes nothing of the frame, when more than a MiB waits already. The error of
// the first failed write is returned to every later call.
func (w *Writer) TryWrite(frame Frame) error { return w.submit(frame, false) }

// Hold is TryWrite, but the frame may wait until Flush, which the caller has to call.
func (w *Writer) Hold(frame Frame) error { return w.submit(frame, true) }

// submit takes a frame and writes it at once if it can, unless it is to be held.
func (w *Writer) submit(frame Frame, hold bool) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.failureLocked() != nil:
		return w.failureLocked()
	case w.queued > queueLimit:
		return ErrQueueFull
	case hold:
		w.enqueueLocked(frame)
	case !w.tryAtOnceLocked(frame):
		w.enqueueLocked(frame)
		w.signal()
	}
	return nil
}

// Flush writes what was held, as far as the reader takes it; the rest is left to
// the writer's goroutine.
func (w *Writer) Flush() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.queued > queueLimit {
		defer w.makeRoomLocked() // somebody may wait for it
	}
	for w.attempt != nil && !w.busy && w.err == nil && len(w.queue) > 0 {
		chunk := w.queue[0]
		n := w.attempt(chunk)
		w.queued -= n
		if n < len(chunk) {
			w.queue[0] = chunk[n:]
			break
		}
		w.queue = w.queue[1:]
		recycle(chunk)
	}
	if len(w.queue) > 0 {
		w.signal()
	}
}

// Write hands a frame in and waits where TryWrite fails: for room, and for a reader
// that is slower than a large frame. The context bounds the wait for room; when
// it ends first, nothing of the frame was or will be written.
func (w *Writer) Write(ctx context.Context, frame Frame) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.waitForRoomLocked(ctx); err != nil {
		return err
	}
	if w.tryAtOnceLocked(frame) {
		return nil
	}
	if frame.Len() > copyBelow && !w.busy && w.queued == 0 {
		return w.writeThroughLocked(frame)
	}
	w.enqueueLocked(frame)
	w.signal()
	return nil
}

// failureLocked returns why no frame can be taken.
func (w *Writer) failureLocked() error {
	if w.err == nil && w.closed {
		return ErrWriterClosed
	}
	return w.err
}

// waitForRoomLocked returns when a frame can be taken, or why none can. It
// gives the lock up while it waits.
func (w *Writer) waitForRoomLocked(ctx context.Context) error {
	for w.failureLocked() == nil && w.queued > queueLimit {
		room := w.room
		w.signal() // for what is held
		w.mu.Unlock()
		select {
		case <-room:
			w.mu.Lock()
		case <-ctx.Done():
			w.mu.Lock()
			return ctx.Err()
		}
	}
	return w.failureLocked()
}

// tryAtOnceLocked writes a small frame that nothing waits before, as far as the reader
// takes it, and queues the rest. It reports whether it took the frame.
func (w *Writer) tryAtOnceLocked(frame Frame) bool {
	if w.attempt == nil || w.busy || w.queued > 0 || frame.Len() > copyBelow {
		return false
	}
	w.scratch = frame.moveTo(w.scratch[:0])
	if n := w.attempt(w.scratch); n < len(w.scratch) {
		w.pushLocked(bytes.Clone(w.scratch[n:]))
		w.signal()
	}
	return true
}

// writeThroughLocked writes a large frame from where it is. It gives the lock up
// while it writes.
func (w *Writer) writeThroughLocked(frame Frame) error {
	w.busy = true
	w.mu.Unlock()
	err := w.writeFrame(frame)
	w.mu.Lock()
	w.busy = false
	if err != nil {
		w.err = err
		w.makeRoomLocked()
	}
	w.signal()
	return err
}

// writeFrame writes a large frame in pieces; the ends are joined with parts of
// the body, so that no reader wakes up for a few bytes.
func (w *Writer) writeFrame(frame Frame) error {
	first := min(copyBelow, len(frame.body))
	last := max(first, len(frame.body)-copyBelow)
	ends := append(bytes.Clone(frame.head), frame.body[:first]...)
	if err := w.writePieces(ends); err != nil {
		return err
	}
	if err := w.writePieces(frame.body[first:last]); err != nil {
		return err
	}
	ends = append(ends[:0], frame.body[last:]...)
	ends = append(ends, frame.tail...)
	return w.writePieces(append(ends, '\n'))
}

func (w *Writer) writePieces(data []byte) error {
	for len(data) > 0 {
		piece := data[:min(pieceSize, len(data))]
		if _, err := w.target.Write(piece); err != nil {
			return err
		}
		data = data[len(piece):]
	}
	return nil
}

// Stopped is closed when the writer has ended: after Close, or when a write
// failed.
func (w *Writer) Stopped() <-chan struct{} { return w.stopped }

// Close refuses further frames and waits until what was taken is written, a
// write fails, or the context ends; then what is left is dropped once the
// target is closed by its owner. Safe to call more than once.
func (w *Writer) Close(ctx context.Context) error {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.signal()
	select {
	case <-w.stopped:
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.err
	case <-ctx.Done():
		return ctx.Err()
	}
}
