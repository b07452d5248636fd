package sessions

import (
	"time"

	"mcp-workbench/application/activity"
	"mcp-workbench/domain"
)

// observeStart tells the observer that an attempt has succeeded or failed. One that a host ended is no
// failure.
func (s *Sessions) observeStart(ended *Attempt, kind domain.ActivityKind) {
	s.observe(ended, kind, activity.OutcomeFor(ended.err), ended.begun)
}

// observeEnd tells the observer that the session of an attempt is over.
func (s *Sessions) observeEnd(ended *Attempt) {
	outcome := domain.OutcomeOK
	if _, failed := ended.connection.life.failure(); failed && !s.isEnding() {
		outcome = domain.OutcomeError
	}
	s.observe(ended, domain.ActivityEnd, outcome, ended.up)
}

// isEnding reports whether the host is gone, so that servers end because of that.
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
