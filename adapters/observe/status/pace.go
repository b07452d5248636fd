package status

import "time"

const (
	// maxQuestions is the number of questions that are accepted in a window, which makes 200 a second. Then a
	// program that asks without a pause costs about 3 percent of a processor. Further questions wait.
	maxQuestions   = 20
	questionWindow = 100 * time.Millisecond
)

// pace limits questions. The zero value has not accepted any.
type pace struct {
	begun    time.Time // of the window
	accepted int       // the number of questions in the window
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
