package status

import "time"

// Pace limits questions.
type Pace struct{ pace }

// Accept counts a question and returns the time to wait before it is accepted.
func (p *Pace) Accept(now time.Time) time.Duration { return p.accept(now) }
