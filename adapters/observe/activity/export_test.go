package activity

import "time"

// Flush writes the pending lines.
func (r *Record) Flush() { r.write() }

// HoldsFile reports whether the record holds a file open.
func (r *Record) HoldsFile() bool {
	r.writing.Lock()
	defer r.writing.Unlock()
	return r.files.newest != nil
}

// WaitForLock sets the longest time that the record waits for its lock.
func (r *Record) WaitForLock(limit time.Duration) { r.files.lockWait = limit }
