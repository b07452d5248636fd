package activity

// Flush writes what waits.
func (r *Record) Flush() { r.write() }
