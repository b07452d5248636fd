package jsonrpc

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"sync"
)

const (
	// queueLimit is the number of bytes that are queued in a Writer before senders have to wait.
	queueLimit = 1 << 20
	// copyBelow is the size up to which queued frames share a write. A larger frame is written
	// without a copy if the queue is empty.
	copyBelow = 32 << 10
	// pieceSize is the maximum size of one write, so that a slow reader does not seem stuck.
	pieceSize = 256 << 10
)

var (
	// ErrWriterClosed reports that the writer was closed before it accepted the frame.
	ErrWriterClosed = errors.New("the connection is closed")
	// ErrQueueFull reports that too many bytes are queued.
	ErrQueueFull = errors.New("the other side does not read")
)

// Writer writes frames as lines, whole and in the order of the calls. Line ends in a body become
// spaces. If a write does not block, the calling goroutine makes it; otherwise a goroutine of the writer
// does, so that a slow reader delays only the senders that choose to wait. Safe for concurrent use.
type Writer struct {
	target io.Writer
	// attempt writes as much as it can without blocking and returns the number of bytes; nil if
	// the target does not allow that.
	attempt func([]byte) int

	mu      sync.Mutex
	queue   [][]byte
	queued  int    // the number of bytes in queue
	scratch []byte // the reused argument of attempt
	busy    bool   // a write without the lock is in progress
	closed  bool
	err     error
	wake    chan struct{} // tells the goroutine that there may be work
	room    chan struct{} // closed and replaced whenever bytes leave the queue
	stopped chan struct{} // closed when the goroutine has ended
}

// NewWriter returns a writer to target and starts its goroutine, which ends with Close.
// Attempt can be nil; see NonblockingWrite.
func NewWriter(target io.Writer, attempt func([]byte) int) *Writer {
	w := &Writer{
		target: target, attempt: attempt,
		wake: make(chan struct{}, 1), room: make(chan struct{}), stopped: make(chan struct{}),
	}
	go w.writeQueue()
	return w
}

// TryWrite writes or queues a frame without waiting. If more than a MiB is queued, it returns
// ErrQueueFull and writes nothing of the frame. After a failed write, every call returns its
// error.
func (w *Writer) TryWrite(frame Frame) error { return w.submit(frame, false) }

// Hold is TryWrite, but may hold the frame back until Flush, which the caller must call.
func (w *Writer) Hold(frame Frame) error { return w.submit(frame, true) }

// submit writes a frame if that is possible without waiting and hold is false, and queues it otherwise.
func (w *Writer) submit(frame Frame, hold bool) error {
	if frame.hasLineEnds {
		frame = frame.asLine()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.failureLocked() != nil:
		return w.failureLocked()
	case w.queued > queueLimit:
		return ErrQueueFull
	case hold:
		w.enqueueLocked(frame)
	case !w.tryWriteLocked(frame):
		w.enqueueLocked(frame)
		w.signal()
	}
	return nil
}

// Flush writes as many held frames as it can without blocking, and leaves the rest to the
// writer's goroutine.
func (w *Writer) Flush() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.queued > queueLimit {
		defer w.makeRoomLocked() // a sender may wait for it
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

// Write writes or queues a frame. It waits for room when TryWrite would return ErrQueueFull, and
// may wait until a large frame is written. If the context ends before there is room, whether Write had
// to wait for it or not, nothing of the frame is written.
func (w *Writer) Write(ctx context.Context, frame Frame) error {
	if frame.hasLineEnds {
		frame = frame.asLine()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.waitForRoomLocked(ctx); err != nil {
		return err
	}
	if w.tryWriteLocked(frame) {
		return nil
	}
	if frame.Len() > copyBelow && !w.busy && w.queued == 0 {
		return w.writeThroughLocked(frame)
	}
	w.enqueueLocked(frame)
	w.signal()
	return nil
}

// failureLocked returns why no frame can be accepted, nil if it can.
func (w *Writer) failureLocked() error {
	if w.err == nil && w.closed {
		return ErrWriterClosed
	}
	return w.err
}

// waitForRoomLocked waits until a frame can be accepted, and returns an error if the writer
// accepts no more frames. It releases the lock while it waits.
func (w *Writer) waitForRoomLocked(ctx context.Context) error {
	for w.failureLocked() == nil {
		if err := ctx.Err(); err != nil { // there may be room too, but the caller no longer waits
			return err
		}
		if w.queued <= queueLimit {
			return nil
		}
		room := w.room
		w.signal() // for held frames
		w.mu.Unlock()
		select {
		case <-room:
		case <-ctx.Done():
		}
		w.mu.Lock()
	}
	return w.failureLocked()
}

// tryWriteLocked writes as much of a small frame as it can without blocking, if the queue is empty,
// and queues the rest. It reports whether it accepted the frame.
func (w *Writer) tryWriteLocked(frame Frame) bool {
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

// writeThroughLocked writes a large frame without a copy. It releases the lock while it writes.
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

// writeFrame writes a large frame in pieces. It joins both ends with parts of the body, so that the
// reader is not woken up for a few bytes.
func (w *Writer) writeFrame(frame Frame) error {
	first := min(copyBelow, len(frame.body))
	last := max(first, len(frame.body)-copyBelow)
	ends := append(frame.appendHead(nil), frame.body[:first]...)
	if err := w.writePieces(ends); err != nil {
		return err
	}
	if err := w.writePieces(frame.body[first:last]); err != nil {
		return err
	}
	ends = append(ends[:0], frame.body[last:]...)
	return w.writePieces(append(ends, '}', '\n'))
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

// enqueueLocked copies the frame to the end of the queue.
func (w *Writer) enqueueLocked(frame Frame) {
	length := frame.Len()
	if length > copyBelow && frame.owned {
		w.pushLocked(frame.appendHead(nil))
		w.pushLocked(frame.body)
		w.pushLocked([]byte("}\n"))
		return
	}
	if length > copyBelow {
		w.pushLocked(frame.appendTo(queueBuffer(length)))
		return
	}
	if last := len(w.queue) - 1; last >= 0 && cap(w.queue[last])-len(w.queue[last]) >= length {
		before := len(w.queue[last])
		w.queue[last] = frame.moveTo(w.queue[last])
		w.queued += len(w.queue[last]) - before
		return
	}
	w.pushLocked(frame.moveTo(queueBuffer(length)))
}

func (w *Writer) pushLocked(chunk []byte) {
	w.queue = append(w.queue, chunk)
	w.queued += len(chunk)
}

func (w *Writer) signal() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// writeQueue writes the queue until the writer is closed and the queue is empty, or a write
// fails.
func (w *Writer) writeQueue() {
	defer close(w.stopped)
	<-w.wake // otherwise frames that are held before the goroutine runs would not wait for Flush
	for {
		batch, ended := w.takeBatch()
		if ended {
			return
		}
		if batch == nil {
			<-w.wake
			continue
		}
		for _, chunk := range batch {
			if err := w.writePieces(chunk); err != nil {
				w.fail(err)
				break
			}
			w.written(len(chunk))
			recycle(chunk)
		}
		w.mu.Lock()
		w.busy = false
		w.mu.Unlock()
	}
}

// takeBatch empties the queue and returns its contents, unless a write is in progress.
func (w *Writer) takeBatch() (batch [][]byte, ended bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil || w.closed && len(w.queue) == 0 && !w.busy {
		return nil, true
	}
	if w.busy || len(w.queue) == 0 {
		return nil, false
	}
	batch, w.queue = w.queue, nil
	w.busy = true
	return batch, false
}

func (w *Writer) written(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.queued -= n
	w.makeRoomLocked()
}

func (w *Writer) fail(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.err = err
	w.makeRoomLocked()
}

// makeRoomLocked wakes the senders that wait for room.
func (w *Writer) makeRoomLocked() {
	close(w.room)
	w.room = make(chan struct{})
}

// Stopped returns a channel that is closed when the writer has ended: after Close or a failed
// write.
func (w *Writer) Stopped() <-chan struct{} { return w.stopped }

// Close refuses further frames and waits until the accepted ones are written, a write fails, or
// the context ends. If the context ends first, the rest is dropped when the owner closes the
// target. Close can be called more than once.
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

// FlushGroup coalesces writes: a reader with several buffered messages passes one
// group along with each and flushes it after the last. It belongs to one goroutine.
type FlushGroup struct{ writers []interface{ Flush() } }

// Add registers a writer that holds bytes back until Flush.
func (g *FlushGroup) Add(writer interface{ Flush() }) {
	if !slices.Contains(g.writers, writer) {
		g.writers = append(g.writers, writer)
	}
}

// Waiting reports whether a writer holds bytes back. If not, the last of several messages
// needs no group, and its effects are written immediately.
func (g *FlushGroup) Waiting() bool { return len(g.writers) > 0 }

// Flush flushes every registered writer.
func (g *FlushGroup) Flush() {
	for _, writer := range g.writers {
		writer.Flush()
	}
	g.writers = g.writers[:0]
}
