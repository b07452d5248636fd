package application

import (
	"sync"

	"mcp-workbench/application/pinning"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// shownTools warns of tools whose definition changed since it was last shown in this run. Safe
// for concurrent use.
type shownTools struct {
	definitions ports.Definitions

	mu   sync.Mutex // guards last; nothing blocks under it
	last map[domain.ServerID]showing
}

// showing records what was last shown of a server.
type showing struct {
	tools    []domain.ToolInfo
	starting bool             // the server was not up, so the tools have only what the lock holds
	warnings []domain.Warning // about how they differed from those before
}

func (s *shownTools) note(opened *domain.OpenedToolbox) {
	for i := range opened.Servers {
		warn(&opened.Servers[i], s.changes(opened.Servers[i]))
	}
}

// changes returns a warning for each tool that was shown with another definition
// before. The warnings stay as long as the tools do.
func (s *shownTools) changes(server domain.OpenedServer) []domain.Warning {
	if server.Failure != nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	before, known := s.last[server.ID]
	if known && sameTools(before.tools, server.Tools) {
		return before.warnings
	}
	now, scope := showing{tools: server.Tools, starting: server.Starting}, domain.PinDefinition
	if before.starting || now.starting {
		scope = domain.PinNoDefaults // which every lock holds whose tools are shown before their server is up
	}
	definitions := make(map[string]domain.ToolInfo, len(before.tools))
	for _, tool := range before.tools {
		definitions[tool.Name] = tool
	}
	for _, tool := range server.Tools {
		if old, ok := definitions[tool.Name]; ok {
			now.warnings = append(now.warnings, s.change(old, tool, scope)...)
		}
	}
	s.last[server.ID] = now
	return now.warnings
}

// sameTools reports whether two lists share their memory.
func sameTools(a, b []domain.ToolInfo) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// change returns the warning that the server changed a tool within the scope, if it did.
// Adjustments by the configuration do not count.
func (s *shownTools) change(before, after domain.ToolInfo, scope domain.PinScope) []domain.Warning {
	if string(before.Own()) == string(after.Own()) {
		return nil
	}
	old, now := s.definitions.Pin(before.Unadjusted(), scope), s.definitions.Pin(after.Unadjusted(), scope)
	if old.Digest == now.Digest {
		return nil
	}
	return []domain.Warning{{
		Kind: domain.DefinitionChanged, Tool: after.Shown, Detail: pinning.ChangedMembers(s.definitions, old, now),
	}}
}
