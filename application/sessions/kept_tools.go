package sessions

import (
	"encoding/json"
	"errors"
	"slices"
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
	listed, known := s.listings.Find(server, s.hostCapabilities(server))
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
	mayShow := func(state *serverState) bool { return state.canShowKept(starting) }
	list := s.earlierTools(server, kept, mayShow)
	if list == nil || !s.showEarlier(server.ID, list, mayShow) {
		return domain.ToolList{}, false
	}
	return list.current().list, true
}

// ShowUnstarted returns tools to show of a server that is started when it is used: those that it listed last in this
// run, otherwise the kept ones, which may be nil. ShowUnstarted reports false if the server has to be started: it is
// started at another time, runs, failed before, or has no tools that can be shown.
func (s *Sessions) ShowUnstarted(server domain.Server, kept *KeptTools) (domain.ToolList, bool) {
	server, err := s.settings(server)
	if err != nil || server.Start != domain.StartOnUse || !s.isLazy(server) || server.Unset != nil || server.AtNextStart {
		return domain.ToolList{}, false
	}
	list := s.earlierTools(server, kept, (*serverState).canWait)
	if list == nil || len(list.current().list.Tools) == 0 || !s.showEarlier(server.ID, list, (*serverState).canWait) {
		return domain.ToolList{}, false
	}
	return list.current().list, true
}

func (s *Sessions) settings(server domain.Server) (domain.Server, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.settingsLocked(server)
}

// earlierTools returns the tools that a server listed last, in this run or else before, if they can be shown while it
// is not up: it reported no change since, and a lock that is in force confirms them. Otherwise it returns nil.
func (s *Sessions) earlierTools(server domain.Server, kept *KeptTools, mayShow func(*serverState) bool) *toolList {
	list := s.lastTools(server, kept, mayShow)
	if list == nil {
		return nil
	}
	list.reapplyPins()
	if !list.canShow(list.current()) {
		return nil
	}
	return list
}

func (s *Sessions) lastTools(server domain.Server, kept *KeptTools, mayShow func(*serverState) bool) *toolList {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch state := s.stateLocked(server.ID); {
	case s.ending || !mayShow(state), state.connection != nil && state.connection.refresher.isStale():
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

// showEarlier makes tools the known ones of a server that is not up, and reports whether they may still be shown.
func (s *Sessions) showEarlier(id domain.ServerID, list *toolList, mayShow func(*serverState) bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	state := s.stateLocked(id)
	if s.ending || !mayShow(state) {
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
	return s.unstartedServers(func(list *toolList) bool { return list.hasPrompts })
}

// UnstartedWithResources is UnstartedWithPrompts for resources.
func (s *Sessions) UnstartedWithResources() []domain.Server {
	return s.unstartedServers(func(list *toolList) bool { return list.hasResources })
}

func (s *Sessions) unstartedServers(has func(*toolList) bool) []domain.Server {
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

// FindShown returns the tool of that name as it was shown before its server was up. It reports false if nothing was
// shown, or if no lock confirms it: then the server's own list decides. Failures: those of Connection.Find.
func (s *Sessions) FindShown(tool domain.ToolIdentifier, offered func([]domain.ToolInfo) []domain.ToolInfo) (shown ListedTool, isShown bool, err error) {
	s.mu.Lock()
	var kept *toolList
	if state := s.servers[tool.ServerID()]; state != nil {
		kept = state.kept
	}
	s.mu.Unlock()
	if kept == nil || !kept.isGoverned(kept.current()) {
		return ListedTool{}, false, nil
	}
	shown, err = kept.current().find(tool, offered)
	return shown, true, err
}

// listingKeeper keeps the tools that a server lists for its next lazy start. A nil keeper
// keeps nothing. Safe for concurrent use.
type listingKeeper struct {
	listings     ports.Listings
	server       domain.Server
	capabilities json.RawMessage // of the host that the tools are listed to
	mu           sync.Mutex      // held while tools are kept, so that the newest are kept last
}

// keep keeps the tools as they are listed now. It does not keep an incomplete list, since another start may find more,
// nor one with a warning that the host would not get with the kept list.
func (k *listingKeeper) keep(tools *toolList) {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if whole := tools.current().whole; !slices.ContainsFunc(whole.Warnings, forbidsKeeping) {
		k.listings.Keep(k.server, k.capabilities, ports.KeptList{
			Tools: whole.Tools, Instructions: whole.Instructions, Prompts: tools.hasPrompts, Resources: tools.hasResources,
		})
	}
}

// forbidsKeeping reports whether a list with that warning is not kept: not if the warning is about an entry that every
// start leaves out.
func forbidsKeeping(warning domain.Warning) bool {
	switch warning.Kind {
	case domain.ToolListedTwice, domain.ToolWithoutName, domain.ToolLeftOut:
		return false
	}
	return true
}

// Shown are the tools of a server that its host was shown while the server was not up. A tool that turns out to be
// different is not called before the host has its new definition. Nil is for a server of which nothing was shown. Safe
// for concurrent use.
type Shown struct {
	rules toolRules
	tools *toolSnapshot

	mu   sync.Mutex // guards told
	told map[string]bool
}

func newShown(list *toolList) *Shown {
	return &Shown{rules: list.toolRules, tools: list.current(), told: map[string]bool{}}
}

// ShownBefore returns the tools that the host was shown of a lazily started server that is not up. It returns nil for
// none, and for a tool whose new definition the host has.
func (s *Sessions) ShownBefore(tool domain.ToolIdentifier) *Shown {
	s.mu.Lock()
	defer s.mu.Unlock()
	state := s.servers[tool.ServerID()]
	if state == nil || state.isLive() {
		return nil
	}
	if shown := state.shownBefore(); shown != nil && !shown.wasTold(tool.Tool) {
		return shown
	}
	return nil
}

func (s *Shown) wasTold(tool string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.told[tool]
}

// shownBefore returns what the host was shown before the next start: kept tools, or those of the connection before.
func (s *serverState) shownBefore() *Shown {
	if s.shown == nil && s.connection != nil {
		s.shown = s.connection.shown.Load()
	}
	if s.shown == nil && s.connection != nil && s.connection.Server.Start.IsLazy() && s.connection.tools.pins != nil {
		s.shown = newShown(s.connection.tools)
	}
	return s.shown
}

// CheckShown returns a *domain.DefinitionChangedError once for each listed tool that is not as the host was shown it
// while the server was not up, so that the host gets the definition before the next call. If the server was
// not up when the call was made, before holds the definitions that the host had been shown by then. Such a call is refused
// in any case, since it cannot be about the new definition. With isUnseen the call itself opened the toolbox, and the host
// was shown nothing.
func (c *Connection) CheckShown(tool domain.ToolIdentifier, listed domain.ToolInfo, before *Shown, isUnseen bool) error {
	shown, isEarlier := before, true
	if shown == nil {
		shown, isEarlier = c.shown.Load(), false
	}
	return shown.check(tool, listed, isEarlier, isUnseen)
}

func (s *Shown) check(tool domain.ToolIdentifier, listed domain.ToolInfo, isEarlier, isUnseen bool) error {
	if s == nil {
		return nil
	}
	before, wasShown := s.tools.index[listed.Name]
	if !wasShown || string(before.Own()) == string(listed.Own()) {
		return nil
	}
	changed := s.rules.pins.ChangesOf(s.rules.server, before, listed, s.tools.lock)
	if changed == "" {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	wasTold := s.told[listed.Name]
	s.told[listed.Name] = true
	if isUnseen || wasTold && !isEarlier {
		return nil
	}
	return &domain.DefinitionChangedError{Tool: tool, Changed: changed, Definition: listed.Definition}
}

// ShowsNow notes that the host was shown the tools as they are.
func (c *Connection) ShowsNow() { c.shown.Store(nil) }

// noteGone adds to the failure of a call whether the host was shown the tool.
func (c *Connection) noteGone(tool string, failure error) {
	missing, isMissing := errors.AsType[*domain.ToolNotFoundError](failure)
	if shown := c.shown.Load(); isMissing && shown != nil {
		_, missing.Gone = shown.tools.index[tool]
	}
}
