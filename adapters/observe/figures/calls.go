package figures

import (
	"slices"
	"sync/atomic"

	"mcp-workbench/domain"
)

// outcomes are counted separately. Any other outcome counts as domain.OutcomeError.
var outcomes = domain.Outcomes()

// Calls counts calls by how they ended, and the durations that are added to it. The zero value is ready. Safe for
// concurrent use.
type Calls struct {
	Histogram

	ended [7]atomic.Int64 // one for each of outcomes
}

// Count counts a call.
func (c *Calls) Count(outcome domain.Outcome) {
	at := slices.Index(outcomes, outcome)
	if at < 0 {
		at = slices.Index(outcomes, domain.OutcomeError)
	}
	c.ended[at].Add(1)
}

// Of returns the number of calls with an outcome that is among domain.Outcomes.
func (c *Calls) Of(outcome domain.Outcome) int64 {
	return c.ended[slices.Index(outcomes, outcome)].Load()
}

// Failed returns the number of calls that failed.
func (c *Calls) Failed() (calls int64) {
	for i, outcome := range outcomes {
		if outcome.HasFailed() {
			calls += c.ended[i].Load()
		}
	}
	return calls
}

// Total returns the number of all calls.
func (c *Calls) Total() (calls int64) {
	for i := range c.ended {
		calls += c.ended[i].Load()
	}
	return calls
}
