package jsonrpc

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

func (f Frame) appendTo(line []byte) []byte {
	line = append(f.appendHead(line), f.body...)
	return append(line, '}', '\n')
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
