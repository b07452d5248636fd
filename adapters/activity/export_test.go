package activity

// Flush writes what waits.
func (r *Record) Flush() { r.write() }

// WriteLines writes lines as a record does.
func (r *Record) WriteLines(lines []byte) error { return r.files.write(lines, nil) }
