package domain

import "time"

// Backoff is the time to wait before retrying after a failure: each further failure doubles the
// pause.
type Backoff struct {
	First time.Duration // the pause after the first failure
	Max   time.Duration // no pause is longer
}

// Pause returns the pause after this many failures in a row, which is at least one.
func (b Backoff) Pause(failures int) time.Duration {
	pause := min(b.First, b.Max)
	for range failures - 1 {
		if pause >= b.Max {
			return b.Max
		}
		pause = min(2*pause, b.Max)
	}
	return pause
}
