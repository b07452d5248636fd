package sessions

import (
	"time"

	"mcp-workbench/application/activity"
	"mcp-workbench/domain"
)

// observeStart tells the observer that an attempt has succeeded, or failed with an error. Call it before the
// attempt is finished: the observer then learns of a start before it learns of the calls that waited for the
// start.
func (s *Sessions) observeStart(attempt *Attempt, kind domain.ActivityKind, err error) {
	s.observe(attempt, kind, activity.OutcomeFor(err), attempt.Since())
}

// observeEnd tells the observer that the session of an attempt is over.
func (s *Sessions) observeEnd(ended *Attempt) {
	outcome := domain.OutcomeOK
	if _, failed := ended.connection.life.failure(); failed && !s.isEnding() {
		outcome = domain.OutcomeError
	}
	s.observe(ended, domain.ActivityEnd, outcome, ended.up)
}

// isEnding reports whether servers end because the host is gone.
func (s *Sessions) isEnding() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ending
}

func (s *Sessions) observe(attempt *Attempt, kind domain.ActivityKind, outcome domain.Outcome, since time.Time) {
	if s.observer == nil {
		return
	}
	id, now := attempt.server.ID, time.Now()
	s.observer.Observe(domain.Activity{
		Kind: kind, Time: now, Tool: domain.ToolIdentifier{Toolbox: id.Toolbox, Server: id.Server}, Outcome: outcome, Took: now.Sub(since),
	})
}
