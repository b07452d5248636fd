package sessions

import (
	"encoding/json"
	"sync"
	"time"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// maxKeptAge is the time after which a list is no longer shown without a lock, unless its server listed the same
// since. A list that seems to be from the future is shown as long after it was kept: the clock was set back.
const maxKeptAge = 30 * 24 * time.Hour

// KeptTools are the tools that a lazily started server listed last, if they can be shown: a lock that is in force
// confirms every one of them, including its description, or there is none and they are not too old.
type KeptTools struct{ list *toolList }

// FindKept returns the tools that a server listed last in an earlier run, nil if they cannot be
// shown or are not needed. It reads files and starts nothing.
func (s *Sessions) FindKept(server domain.Server) *KeptTools {
	server, isNew := s.newServer(server)
	if !isNew || !s.isLazy(server) {
		return nil
	}
	listed, known := s.listings.Find(server, s.declared(server))
	if !known {
		return nil
	}
	kept := &toolList{
		toolRules:  toolRules{server: server, pins: s.pins, isKept: true, log: s.log},
		hasPrompts: listed.Prompts, hasResources: listed.Resources,
	}
	kept.snapshot.Store(kept.filter(domain.ToolList{Tools: listed.Tools, Instructions: listed.Instructions}))
	current := kept.current()
	isOld := listed.Elsewhere || time.Since(listed.Listed).Abs() > maxKeptAge
	if isOld && !kept.isGoverned(current) || !kept.canShow(current) {
		return nil
	}
	return &KeptTools{list: kept}
}

// newServer returns a server with the settings in force, and reports whether this run does
// not know its tools yet.
func (s *Sessions) newServer(server domain.Server) (inForce domain.Server, isNew bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	inForce, err := s.settingsLocked(server)
	state := s.servers[server.ID]
	return inForce, err == nil && (state == nil || state.connection == nil && state.kept == nil)
}

// ShowKept returns tools to show while a server is being started: those that it listed last in
// this run, otherwise the kept ones, which may be nil. Kept tools then count as its known tools
// until it is up or has failed. ShowKept reports false if the server must be waited for, for
// example after a failure, since it may fail again.
func (s *Sessions) ShowKept(starting *Attempt, kept *KeptTools) (domain.ToolList, bool) {
	server := starting.server
	if !s.isLazy(server) {
		return domain.ToolList{}, false
	}
	last, canShow := s.lastTools(starting)
	switch {
	case !canShow:
		return domain.ToolList{}, false
	case last != nil:
		last.reapplyPins()
		current := last.current()
		return current.list, last.canShow(current)
	case kept == nil || !kept.list.server.Equal(server) || !s.putKept(starting, kept.list):
		return domain.ToolList{}, false
	}
	return kept.list.current().list, true
}

// lastTools returns the tools of a server that is being started, nil if it was not up in
// this run, and reports whether they can be shown: the server must not have failed before,
// nor reported a change.
func (s *Sessions) lastTools(starting *Attempt) (last *toolList, canShow bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch state := s.canShowKeptLocked(starting); {
	case state == nil:
		return nil, false
	case state.connection != nil:
		return state.connection.tools, !state.connection.refresher.isStale()
	default:
		return state.kept, true
	}
}

// ShowUnstarted returns tools to show of a server that is started when it is used: those that it listed last in this
// run, otherwise the kept ones, which may be nil. ShowUnstarted reports false if the server has to be started: it is
// started at another time, runs, failed before, or has no tools that can be shown.
func (s *Sessions) ShowUnstarted(server domain.Server, kept *KeptTools) (domain.ToolList, bool) {
	list := s.unstartedTools(server, kept)
	if list == nil {
		return domain.ToolList{}, false
	}
	list.reapplyPins()
	current := list.current()
	if !list.canShow(current) || len(current.list.Tools) == 0 || !s.leaveUnstarted(server.ID, list) {
		return domain.ToolList{}, false
	}
	return current.list, true
}

// unstartedTools returns the tools that are known of a server that can stay down until it is used, otherwise nil.
func (s *Sessions) unstartedTools(server domain.Server, kept *KeptTools) *toolList {
	s.mu.Lock()
	defer s.mu.Unlock()
	server, err := s.settingsLocked(server)
	state := s.stateLocked(server.ID)
	switch {
	case err != nil || server.Start != domain.StartOnUse || !s.isLazy(server) || server.Unset != nil || server.AtNextStart || !state.canWait():
		return nil
	case state.connection != nil && state.connection.refresher.isStale():
		return nil
	case state.connection != nil:
		return state.connection.tools
	case state.kept != nil:
		return state.kept
	case kept != nil && kept.list.server.Equal(server):
		return kept.list
	}
	return nil
}

// leaveUnstarted makes tools the known ones of a server that is not started, and reports whether it can still wait.
func (s *Sessions) leaveUnstarted(id domain.ServerID, list *toolList) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	state := s.stateLocked(id)
	if s.ending || !state.canWait() {
		return false
	}
	if state.connection == nil && state.kept != list {
		state.kept, state.shown = list, newShown(list)
		s.known.set(id, list)
	}
	return true
}

// UnstartedWithPrompts returns the servers whose tools are shown, that start at their first use, and that had prompts
// when they last listed something.
func (s *Sessions) UnstartedWithPrompts() []domain.Server {
	return s.unstarted(func(list *toolList) bool { return list.hasPrompts })
}

// UnstartedWithResources is UnstartedWithPrompts for resources.
func (s *Sessions) UnstartedWithResources() []domain.Server {
	return s.unstarted(func(list *toolList) bool { return list.hasResources })
}

func (s *Sessions) unstarted(has func(*toolList) bool) []domain.Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	var servers []domain.Server
	for _, state := range s.servers {
		if server, now, _ := state.now(); now == StateAtUse && has(state.kept) {
			servers = append(servers, server)
		}
	}
	return servers
}

// putKept makes tools the known ones of a server, unless it is up or has failed meanwhile.
func (s *Sessions) putKept(starting *Attempt, kept *toolList) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	state := s.canShowKeptLocked(starting)
	if state == nil {
		return false
	}
	state.kept, state.shown = kept, newShown(kept)
	s.known.set(starting.server.ID, kept)
	return true
}

// canShowKeptLocked returns the state of a server if tools that it listed earlier can be shown
// while it is being started, otherwise nil.
func (s *Sessions) canShowKeptLocked(starting *Attempt) *serverState {
	state := s.servers[starting.server.ID]
	if state == nil || s.ending || !state.canShowKept(starting) {
		return nil
	}
	return state
}

// CheckKept checks a call of a tool against the tools that were shown before its server was up. It
// returns nil if none were shown, or if no lock confirms them: then the server's own list decides. Otherwise it calls
// check with the tool. Failures: those of Connection.Find and of check.
func (s *Sessions) CheckKept(tool domain.ToolIdentifier, forModel bool, check func(domain.ToolInfo) error) error {
	s.mu.Lock()
	var kept *toolList
	if state := s.servers[tool.ServerID()]; state != nil {
		kept = state.kept
	}
	s.mu.Unlock()
	if kept == nil || !kept.isGoverned(kept.current()) {
		return nil
	}
	info, err := kept.current().find(tool, forModel)
	if err != nil {
		return err
	}
	return check(info)
}

// listingKeeper keeps the tools that a server lists for its next lazy start. A nil keeper
// keeps nothing. Safe for concurrent use.
type listingKeeper struct {
	listings     ports.Listings
	server       domain.Server
	capabilities json.RawMessage // of the host that the tools are listed to
	mu           sync.Mutex      // held while tools are kept, so that the newest are kept last
}

// keep keeps the tools as they are listed now. It does not keep an incomplete list or one with
// warnings, since another start may find more.
func (k *listingKeeper) keep(tools *toolList) {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if whole := tools.current().whole; len(whole.Warnings) == 0 {
		k.listings.Keep(k.server, k.capabilities, ports.KeptList{
			Tools: whole.Tools, Instructions: whole.Instructions, Prompts: tools.hasPrompts, Resources: tools.hasResources,
		})
	}
}
