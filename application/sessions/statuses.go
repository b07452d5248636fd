package sessions

import (
	"time"

	"mcp-workbench/ports"
)

var _ ports.ServerSessions = (*Sessions)(nil)

// Statuses implements ports.ServerSessions.
func (s *Sessions) Statuses(each func(ports.ServerStatus)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, state := range s.servers {
		server, now, isNeeded := state.now()
		if !isNeeded {
			continue
		}
		status := ports.ServerStatus{Server: server, State: string(now), Earlier: state.earlier}
		if state.newest != nil {
			status.Since, status.Process = state.newest.since(), state.newest.progress.current().Process
		}
		each(status)
	}
}

// since returns when the attempt began if it is under way, or when its session began if that is live,
// otherwise the zero time.
func (a *Attempt) since() time.Time {
	switch {
	case a.isUnderWay():
		return a.Since()
	case a.usable():
		return a.up
	}
	return time.Time{}
}
