package activity

import (
	"time"

	"mcp-workbench/domain"
)

const (
	// maxOwnLines is the number of calls in a pause that have a line each, which makes 1,000 a second. Only
	// programs call more often.
	maxOwnLines = 250
	// maxRepeats is the number of shared lines for the other calls in a pause, a power of two.
	maxRepeats = 64
)

// repeats sums calls with the same tool, host and outcome for a shared line. The zero value is empty.
type repeats struct {
	slots [maxRepeats]repeat
	used  [maxRepeats]int // the indexes of the slots in use, the first count of them
	count int             // the number of slots in use
}

// repeat is the sum of calls. It is empty if it has no host.
type repeat struct {
	host  *Host
	calls int64
	sum   domain.Activity
}

// add adds a call. It reports false for an activity that needs a line of its own.
func (r *repeats) add(host *Host, a *domain.Activity) bool {
	if a.Kind != domain.ActivityCall || a.Unknown || len(a.Tool.Toolbox)+len(a.Tool.Server)+len(a.Tool.Tool) > maxName {
		return false
	}
	const tries = 8
	first := slotFor(&a.Tool)
	for i := range tries {
		at := (first + i) % maxRepeats
		kept := &r.slots[at]
		if kept.host == nil {
			*kept = repeat{host: host, calls: 1, sum: *a}
			kept.sum.Tool = clone(a.Tool)
			r.used[r.count] = at
			r.count++
			return true
		}
		if kept.host == host && kept.sum.Tool == a.Tool && kept.sum.Outcome == a.Outcome && kept.sum.Code == a.Code {
			kept.add(a)
			return true
		}
	}
	return false
}

func (r *repeat) add(a *domain.Activity) {
	r.calls++
	r.sum.Time = a.Time
	r.sum.Took += a.Took
	r.sum.Sent += a.Sent
	r.sum.Received += a.Received
	r.sum.Shown += a.Shown
}

// take calls use with each sum, in the order in which they began, and empties r.
func (r *repeats) take(use func(*Host, *domain.Activity, int64)) {
	for _, at := range r.used[:r.count] {
		kept := &r.slots[at]
		kept.sum.Took /= time.Duration(kept.calls)
		use(kept.host, &kept.sum, kept.calls)
		*kept = repeat{}
	}
	r.count = 0
}
