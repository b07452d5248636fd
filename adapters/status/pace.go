package status

import "time"

const (
	// maxQuestions is the number of questions that are accepted within a window, 200 a second: a program that
	// asks all the time costs the calls of hosts about 3 percent of a processor. Further ones wait.
	maxQuestions   = 20
	questionWindow = 100 * time.Millisecond
)

// pace limits questions. The zero value has accepted none.
type pace struct {
	begun    time.Time // of the window
	accepted int       // within it
}

// accept counts a question and returns the time to wait before it is accepted.
func (p *pace) accept(now time.Time) time.Duration {
	if age := now.Sub(p.begun); age < 0 || age >= questionWindow {
		*p = pace{begun: now}
	}
	var wait time.Duration
	if p.accepted == maxQuestions {
		wait = p.begun.Add(questionWindow).Sub(now)
		*p = pace{begun: p.begun.Add(questionWindow)}
	}
	p.accepted++
	return wait
}
