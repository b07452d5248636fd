package sessions

import (
	"slices"

	"mcp-workbench/domain"
)

// Reload restricts connections to the servers of these toolboxes, with these settings, whatever
// settings callers pass from now on. A server whose settings did not change keeps its
// connection. Any other finishes the calls that are under way; its attempts end, and it is
// replaced at its next use. Reload never waits. Calls of Reload must not overlap.
func (s *Sessions) Reload(toolboxes []domain.Toolbox) {
	inForce := map[domain.ServerID]domain.Server{}
	for server := range domain.ServersOf(toolboxes) {
		inForce[server.ID] = server
	}
	for _, retired := range s.retireOthers(inForce) {
		retired.end(s)
	}
}

// retiredServer is a server that got other settings or was removed.
type retiredServer struct {
	attempt    *Attempt    // nil for a server that was not started yet
	connection *Connection // nil when there was none
	kept       *toolList   // shown before there was a connection, nil if none was
	now        *domain.Server
	hadPrompts bool // set only for a removed server
}

// retireOthers puts settings in force and forgets the connections with other settings.
func (s *Sessions) retireOthers(inForce map[domain.ServerID]domain.Server) []retiredServer {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inForce = inForce
	var retired []retiredServer
	for id, state := range s.servers {
		server, exists := inForce[id]
		if state.newest == nil {
			if unstarted := state.retireUnstarted(server); unstarted != nil {
				if exists {
					retired = append(retired, retiredServer{kept: unstarted, now: &server})
				} else {
					s.known.remove(id)
				}
			}
			continue
		}
		if exists && server.Equal(state.newest.server) {
			continue
		}
		if exists {
			retired = append(retired, state.retire(&server))
			continue
		}
		s.known.remove(id)
		s.ownership.removeServer(id)
		retired = append(retired, state.retire(nil))
	}
	return retired
}

// retireUnstarted forgets the tools of a server that was not started, if they belong to other settings than these, and
// returns them.
func (s *serverState) retireUnstarted(now domain.Server) (forgotten *toolList) {
	if s.kept == nil || s.kept.server.Equal(now) {
		return nil
	}
	forgotten, s.kept = s.kept, nil
	return forgotten
}

// end ends the attempts and the connection of a retired server once its calls are done.
func (r retiredServer) end(s *Sessions) {
	if r.kept != nil && r.now != nil {
		s.known.replace(r.now.ID, r.kept, r.kept.under(*r.now))
	}
	switch old := r.connection; {
	case old == nil:
	case r.now != nil:
		s.known.replace(r.now.ID, old.tools, old.tools.under(*r.now))
	default:
		s.ReportResources(old)
	}
	if r.hadPrompts {
		s.ReportPrompts(r.attempt.server.ID)
	}
	if r.attempt == nil {
		return
	}
	if !r.attempt.isUnderWay() {
		r.attempt.endConnection()
		return
	}
	r.attempt.cancel()
	go func() { // it may have succeeded just now
		<-r.attempt.finished
		r.attempt.endConnection()
	}()
}

// endConnection ends the connection that a finished attempt made, if any, once it is no longer
// used.
func (a *Attempt) endConnection() {
	if a.err == nil && a.connection.uses.replace() {
		a.connection.life.end(endReplaced, nil)
	}
}

// isDraining reports whether the connection that the attempt made was replaced and is still in use. A session that
// is over is not: failures of its calls may not have been delivered yet, but its server is only ending.
func (a *Attempt) isDraining() bool {
	return !a.isUnderWay() && a.err == nil && a.connection.uses.isDraining() && !a.connection.life.isOver()
}

// ReapplyPins applies the current lock and policy to the known tools of every server.
// It starts no server.
func (s *Sessions) ReapplyPins() {
	for _, list := range s.known.allLists() {
		list.reapplyPins()
	}
}

// settingsLocked returns the settings of a server that are in force.
func (s *Sessions) settingsLocked(server domain.Server) (domain.Server, error) {
	if s.inForce == nil {
		return server, nil
	}
	if current, exists := s.inForce[server.ID]; exists {
		return current, nil
	}
	missing := &domain.ServerNotFoundError{ID: server.ID}
	for id := range s.inForce {
		if id.Toolbox == server.ID.Toolbox {
			missing.Available = append(missing.Available, string(id.Server))
		}
	}
	slices.Sort(missing.Available)
	return server, missing
}
