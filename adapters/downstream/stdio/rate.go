package stdio

import "time"

// rate bounds what is logged of a server's stderr: so many lines and bytes a
// second, of which the first line may be any length. The zero value has seen
// nothing. It belongs to one goroutine.
type rate struct {
	second       time.Time // when the current second began
	lines, bytes int       // that were allowed in it
	dropped      int       // lines that were not, since the last count
}

const (
	mostLines = 100
	mostBytes = 64 << 10
)

// allow reports whether a line of that size may be logged now, and how many lines
// were dropped in a second that has gone by and that was not told of.
func (r *rate) allow(now time.Time, size int) (allowed bool, dropped int) {
	if now.Sub(r.second) >= time.Second {
		r.second, r.lines, r.bytes = now, 0, 0
		dropped = r.end()
	}
	if r.lines == mostLines || r.lines > 0 && r.bytes+size > mostBytes {
		r.dropped++
		return false, dropped
	}
	r.lines++
	r.bytes += size
	return true, dropped
}

// end returns how many lines were dropped that were not told of.
func (r *rate) end() int {
	dropped := r.dropped
	r.dropped = 0
	return dropped
}
