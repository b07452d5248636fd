package stdio

import "time"

// rate limits how many lines and bytes of a server's stderr are logged per second.
// The first line of a second can have any length. The zero value is ready to use. Not safe
// for concurrent use.
type rate struct {
	second       time.Time // the start of the current second
	lines, bytes int       // allowed so far in the current second
	dropped      int       // lines dropped since the last count
}

const (
	maxLines = 100
	maxBytes = 64 << 10
)

// allow reports whether to log a line of that size now. At the start of a new
// second it also returns how many lines were dropped since the last count.
func (r *rate) allow(now time.Time, size int) (allowed bool, dropped int) {
	if now.Sub(r.second) >= time.Second {
		r.second, r.lines, r.bytes = now, 0, 0
		dropped = r.end()
	}
	if r.lines == maxLines || r.lines > 0 && r.bytes+size > maxBytes {
		r.dropped++
		return false, dropped
	}
	r.lines++
	r.bytes += size
	return true, dropped
}

// end returns how many lines were dropped since the last count, and starts a new count.
func (r *rate) end() int {
	dropped := r.dropped
	r.dropped = 0
	return dropped
}
