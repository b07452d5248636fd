package sessions

import "time"

const (
	relistsAtOnce = 3
	relistPause   = time.Second // after as long without a change, the count starts again
)

// relistPace is how soon tools are listed after each change that a server reports: at once for
// the first few changes, then after a pause each. It is plain data without a clock; the owner
// locks. The zero value is that of a server that reported no change.
type relistPace struct{ inRow int }

// next returns the pause before the next listing, 0 for none. The last one ended that long ago.
func (p *relistPace) next(sinceLast time.Duration) time.Duration {
	if sinceLast >= relistPause {
		p.inRow = 0
	}
	p.inRow++
	if p.inRow <= relistsAtOnce {
		return 0
	}
	return relistPause
}
