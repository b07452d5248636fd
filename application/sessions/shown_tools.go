package sessions

import (
	"errors"
	"sync"

	"mcp-workbench/domain"
)

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
// while the server was not up, so that the host gets the definition before the next call. Before is what the host was
// shown when the call was made, if the server was not up then: such a call is refused in any case, since it cannot be
// about the new definition. With isUnseen the call itself opened the toolbox, and the host was shown nothing.
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
