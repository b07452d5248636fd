package activity

import "time"

// Flush writes the pending lines.
func (r *Record) Flush() { r.write() }

// WaitForLock sets the longest time that the record waits for its lock.
func (r *Record) WaitForLock(limit time.Duration) { r.files.lockWait = limit }
