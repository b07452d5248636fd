package sessions

import (
	"mcp-workbench/domain"
)

// ShowKept returns the tools that a server listed last, in this run or an earlier one, while
// it is being started, if it is to be started lazily and the lock confirms every one of them,
// descriptions included. From then on they are its known tools until it is up or has failed.
// It reports false if somebody who wants the tools has to wait: for a server that failed
// before too, since it may fail again.
func (s *Sessions) ShowKept(starting *Starting) (domain.ToolList, bool) {
	server := starting.attempt.server
	if server.Start != domain.StartLazily || server.Pinned == domain.PinSchema || s.pins == nil {
		return domain.ToolList{}, false
	}
	last, waits := s.lastTools(starting)
	switch {
	case !waits:
		return domain.ToolList{}, false
	case last != nil:
		last.reapplyPins()
		return last.confirmed()
	case s.listings == nil || !s.pins.State().HasLock():
		return domain.ToolList{}, false
	}
	tools, known := s.listings.Find(server, s.host.Capabilities())
	if !known {
		return domain.ToolList{}, false
	}
	kept := &toolList{server: server, pins: s.pins, log: s.log}
	kept.snapshot = kept.filter(domain.ToolList{Tools: tools})
	list, confirmed := kept.confirmed()
	if !confirmed || !s.putKept(starting, kept) {
		return domain.ToolList{}, false
	}
	return list, true
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

// keepListing keeps the tools of a server that is started lazily, as they are listed now. A
// list that something was left out of, or warned about, is not kept: another start may find more.
func (l *toolList) keepListing() {
	if l.listings == nil || l.server.Start != domain.StartLazily || l.server.Pinned == domain.PinSchema {
		return
	}
	l.keeping.Lock()
	defer l.keeping.Unlock()
	snapshot := l.current()
	if snapshot.lock.HasLock() && len(snapshot.whole.Warnings) == 0 {
		l.listings.Keep(l.server, l.capabilities, snapshot.whole.Tools)
	}
}
