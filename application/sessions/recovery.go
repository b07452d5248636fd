package sessions

import (
	"slices"
	"time"

	"mcp-workbench/domain"
)

// restartBackoff is the policy for restarting a server that failed to start or was
// lost. The first attempt after a failure is immediate; from the second failure in a
// row on there is a pause. Only uptime resets the count of failures, so a server that
// starts well and dies at once keeps it.
var restartBackoff = domain.Backoff{First: time.Second, Max: 30 * time.Second}

const (
	pauseJitter = 0.2 // a pause is longer or shorter by up to this fraction
	goodUptime  = time.Minute

	// After maxFailures within breakWindow there is no attempt for breakTime. Then one
	// attempt is made; if it fails, the next is made after another breakTime.
	maxFailures = 5
	breakWindow = 3 * time.Minute
	breakTime   = time.Minute
)

// recovery records the failures of one server. It has no clock: the
// caller passes the time. The zero value is a server that never failed.
type recovery struct {
	inRow  int         // failures since the server was up for goodUptime
	recent []time.Time // the failures within breakWindow, oldest first
	broken bool
	last   error     // the last failure
	next   time.Time // no attempt is made before this time
	lost   error     // why the last session was lost or replaced, nil once the next one is published
}

// failed notes a failure. Chance is a random number from 0 to 1 for the jitter.
func (r *recovery) failed(now time.Time, failure error, chance float64) {
	r.inRow++
	r.last = failure
	r.recent = slices.DeleteFunc(append(r.recent, now), func(at time.Time) bool { return now.Sub(at) > breakWindow })
	if len(r.recent) >= maxFailures {
		r.broken = true
	}
	switch {
	case r.broken:
		r.next = now.Add(breakTime)
	case r.inRow == 1:
		r.next = now
	default:
		r.next = now.Add(jittered(restartBackoff.Pause(r.inRow-1), chance))
	}
}

// ended notes the end of a session that was up for that long.
func (r *recovery) ended(uptime time.Duration) {
	if uptime >= goodUptime {
		*r = recovery{lost: r.lost}
	}
}

// refusal returns why the server must not be started now, nil if it may.
func (r *recovery) refusal(now time.Time) error {
	wait := r.next.Sub(now)
	if wait <= 0 {
		return nil
	}
	return &domain.PausedError{Failure: r.last, Failures: r.inRow, Stopped: r.broken, Wait: wait}
}

func jittered(pause time.Duration, chance float64) time.Duration {
	return time.Duration(float64(pause) * (1 + pauseJitter*(2*chance-1)))
}
