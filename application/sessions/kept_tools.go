package sessions

import (
	"mcp-workbench/domain"
)

// KeptTools are the tools of a server that is started lazily, as it listed them last, where
// the lock confirms every one of them, descriptions included.
type KeptTools struct{ list *toolList }

// FindKept returns the tools that a server listed last in an earlier run, nil if nobody may
// be shown them or need be. It reads files and starts nothing.
func (s *Sessions) FindKept(server domain.Server) *KeptTools {
	server, isNew := s.newServer(server)
	if !isNew || !s.isLazy(server) || s.listings == nil || !s.pins.State().HasLock() {
		return nil
	}
	tools, known := s.listings.Find(server, s.declared(server))
	if !known {
		return nil
	}
	kept := &toolList{server: server, pins: s.pins, log: s.log, isKept: true}
	kept.snapshot = kept.filter(domain.ToolList{Tools: tools})
	if _, confirmed := kept.confirmed(); !confirmed {
		return nil
	}
	return &KeptTools{list: kept}
}

// isLazy reports whether a server is started lazily, and the lock has all that is shown.
func (s *Sessions) isLazy(server domain.Server) bool {
	return server.Start == domain.StartLazily && server.Pinned != domain.PinSchema && s.pins != nil
}

// newServer returns a server with the settings that are in force, and whether nothing is
// known of its tools from this run.
func (s *Sessions) newServer(server domain.Server) (inForce domain.Server, isNew bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	inForce, err := s.settingsLocked(server)
	state := s.servers[server.ID]
	return inForce, err == nil && (state == nil || state.connection == nil && state.kept == nil)
}

// ShowKept returns the tools that a server listed last while it is being started: those of
// this run, or the kept ones, which may be nil. From then on they are its known tools until
// it is up or has failed. It reports false if somebody who wants the tools has to wait: for
// a server that failed before too, since it may fail again.
func (s *Sessions) ShowKept(starting *Starting, kept *KeptTools) (domain.ToolList, bool) {
	server := starting.attempt.server
	if !s.isLazy(server) {
		return domain.ToolList{}, false
	}
	last, waits := s.lastTools(starting)
	switch {
	case !waits:
		return domain.ToolList{}, false
	case last != nil:
		last.reapplyPins()
		return last.confirmed()
	case kept == nil || !kept.list.server.Equal(server) || !s.putKept(starting, kept.list):
		return domain.ToolList{}, false
	}
	return kept.list.current().list, true
}

// lastTools returns the tools of a server that is being started, nil if it was not up in
// this run, and whether it is being started and did not fail before.
func (s *Sessions) lastTools(starting *Starting) (last *toolList, waits bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	state := s.servers[starting.id]
	switch {
	case !s.mayShowKeptLocked(starting):
		return nil, false
	case state.connection != nil:
		return state.connection.tools, true
	}
	return state.kept, true
}

// putKept makes tools the known ones of a server, unless it is up or has failed meanwhile.
func (s *Sessions) putKept(starting *Starting, kept *toolList) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.mayShowKeptLocked(starting) {
		return false
	}
	s.servers[starting.id].kept = kept
	s.known.set(starting.id, kept)
	return true
}

func (s *Sessions) mayShowKeptLocked(starting *Starting) bool {
	state := s.servers[starting.id]
	return state != nil && state.newest == starting.attempt && starting.attempt.isUnderWay() && state.recovery.inRow == 0 &&
		(state.connection == nil || state.connection.life.isOver()) && !s.ending && !s.closed[starting.id.Toolbox]
}

// isUnderWay reports whether the attempt has neither succeeded nor failed.
func (a *attempt) isUnderWay() bool {
	select {
	case <-a.finished:
		return false
	default:
		return true
	}
}

// CheckKept returns why a tool cannot be called by the list that was shown of a server that
// was never up, nil if it can, or if no such list was shown. Otherwise check, with what was
// shown of the tool, says whether it can. Failures: those of Connection.Find and of check.
func (s *Sessions) CheckKept(tool domain.ToolIdentifier, check func(domain.ToolInfo) error) error {
	s.mu.Lock()
	var kept *toolList
	if state := s.servers[tool.ServerID()]; state != nil {
		kept = state.kept
	}
	s.mu.Unlock()
	if kept == nil {
		return nil
	}
	info, _, err := kept.find(tool)
	if err != nil {
		return err
	}
	return check(info)
}

// confirmed returns the tools if the lock has them all as they were last listed.
func (l *toolList) confirmed() (domain.ToolList, bool) {
	l.mu.Lock()
	snapshot, state := l.snapshot, l.state
	l.mu.Unlock()
	return snapshot.list, state == listFresh && l.pins.Confirms(l.server, snapshot.listed, snapshot.lock)
}

// keepsListings reports whether the server's listings are kept for its next lazy start.
func (l *toolList) keepsListings() bool {
	return l.listings != nil && l.server.Start == domain.StartLazily && l.server.Pinned != domain.PinSchema
}

// keepListing keeps the tools of a server that is started lazily, as they are listed now. A
// list that something was left out of, or warned about, is not kept: another start may find more.
func (l *toolList) keepListing() {
	if !l.keepsListings() {
		return
	}
	l.keeping.Lock()
	defer l.keeping.Unlock()
	snapshot := l.current()
	if snapshot.lock.HasLock() && len(snapshot.whole.Warnings) == 0 {
		l.listings.Keep(l.server, l.capabilities, snapshot.whole.Tools)
	}
}
