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
	// postLimit is the same for those who cannot wait.
	postLimit = 4 * queueLimit
	// copyBelow is the size up to which a body is copied next to its neighbours so
	// that one write takes many messages; larger ones are written from where they
	// are.
	copyBelow = 32 << 10
	// pieceSize bounds one write, so that a slow reader shows as slow and not as
	// stuck.
	pieceSize = 256 << 10
)

// ErrWriterClosed: the writer was closed before the message was taken.
var ErrWriterClosed = errors.New("the connection is closed")

// ErrQueueFull: too much waits to be written already.
var ErrQueueFull = errors.New("the other side does not read")

// Writer writes frames as lines, whole and in the order in which they were
// handed in. A frame that can go out at once is written by its sender; whatever
// cannot waits for one goroutine of the writer's own, so that a reader that is
// slow holds up nobody who can do without it. Safe for concurrent use.
type Writer struct {
	target io.Writer
	// attempt writes what can be written without waiting and returns how much that
	// was; nil when the target cannot tell.
	attempt func([]byte) int

	mu      sync.Mutex
	queue   [][]byte
	queued  int
	scratch []byte // what attempt is given; reused
	writing bool   // the goroutine is at work
	closed  bool
	err     error
	wake    chan struct{} // tells the goroutine that there is work
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
	go w.run()
	return w
}

// Write hands a frame in and returns when it is written or will be, without
// waiting for the reader on the other side, unless more than a MiB waits
// already. The context bounds that wait; when it ends first, nothing of the
// frame was or will be written. The error of the first failed write is returned
// to all who come after it.
func (w *Writer) Write(ctx context.Context, frame Frame) error {
	w.mu.Lock()
	for w.err == nil && !w.closed && w.queued > queueLimit {
		room := w.room
		w.mu.Unlock()
		select {
		case <-room:
		case <-ctx.Done():
			return ctx.Err()
		}
		w.mu.Lock()
	}
	defer w.mu.Unlock()
	return w.take(frame)
}

// Post hands a frame in without ever waiting, for those who must not: readers.
// While far too much waits already, it fails with ErrQueueFull and drops the
// frame.
func (w *Writer) Post(frame Frame) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.queued > postLimit {
		return ErrQueueFull
	}
	return w.take(frame)
}

// take writes the frame at once if it can and queues what is left.
func (w *Writer) take(frame Frame) error {
	if w.err != nil {
		return w.err
	}
	if w.closed {
		return ErrWriterClosed
	}
	if w.attempt == nil || w.writing || w.queued > 0 || frame.Len() > copyBelow {
		w.enqueue(frame)
		return nil
	}
	w.scratch = frame.appendTo(w.scratch[:0])
	if n := w.attempt(w.scratch); n < len(w.scratch) {
		w.push(bytes.Clone(w.scratch[n:]))
	}
	return nil
}

func (w *Writer) enqueue(frame Frame) {
	if len(frame.body) <= copyBelow {
		last := len(w.queue) - 1
		if last >= 0 && cap(w.queue[last])-len(w.queue[last]) >= frame.Len() {
			w.queue[last] = frame.appendTo(w.queue[last])
			w.queued += frame.Len()
			w.signal()
			return
		}
		w.push(frame.appendTo(make([]byte, 0, max(4<<10, frame.Len()))))
		return
	}
	w.push(frame.head)
	w.push(frame.body)
	w.push([]byte(frame.tail + "\n"))
}

func (f Frame) appendTo(line []byte) []byte {
	line = append(line, f.head...)
	line = append(line, f.body...)
	line = append(line, f.tail...)
	return append(line, '\n')
}

func (w *Writer) push(chunk []byte) {
	w.queue = append(w.queue, chunk)
	w.queued += len(chunk)
	w.signal()
}

func (w *Writer) signal() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// run writes what is queued until the writer is closed and the queue is empty,
// or a write fails.
func (w *Writer) run() {
	defer close(w.stopped)
	for {
		w.mu.Lock()
		if w.err != nil || w.closed && len(w.queue) == 0 {
			w.mu.Unlock()
			return
		}
		batch := w.queue
		w.queue = nil
		w.writing = len(batch) > 0
		w.mu.Unlock()
		if len(batch) == 0 {
			<-w.wake
			continue
		}
		w.writeBatch(batch)
	}
}

func (w *Writer) writeBatch(batch [][]byte) {
	for _, chunk := range batch {
		for len(chunk) > 0 {
			piece := chunk[:min(pieceSize, len(chunk))]
			_, err := w.target.Write(piece)
			chunk = chunk[len(piece):]
			if w.written(len(piece), err) {
				return
			}
		}
	}
	w.mu.Lock()
	w.writing = false
	w.mu.Unlock()
}

// written notes that n bytes left the queue, or why they did not, and reports
// whether that was the end.
func (w *Writer) written(n int, err error) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.queued -= n
	close(w.room)
	w.room = make(chan struct{})
	w.err = err
	return err != nil
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
