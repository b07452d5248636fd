package application

import (
	"context"
	"slices"
	"sync"

	"mcp-workbench/application/pinning"
	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// PinnedToolboxOpener is the use case OpenToolbox that also warns of tools whose
// definition changed since they were shown earlier in this run, and of problems with
// the lock as a whole.
type PinnedToolboxOpener struct {
	next        ports.ToolboxOpener
	catalog     ports.Catalog
	sessions    *sessions.Sessions
	pinning     *pinning.Pinning
	definitions ports.Definitions

	mu    sync.Mutex // guards shown; nothing blocks under it
	shown map[domain.ServerID]showing
}

// showing is what was shown of a server last.
type showing struct {
	tools    []domain.ToolInfo
	starting bool             // the server was not up, so the tools have only what the lock holds
	warnings []domain.Warning // of how they differed from those before
}

// NewPinnedToolboxOpener returns the use case over the one that opens toolboxes.
func NewPinnedToolboxOpener(
	next ports.ToolboxOpener, catalog ports.Catalog, sessions *sessions.Sessions, pins *pinning.Pinning, definitions ports.Definitions,
) *PinnedToolboxOpener {
	return &PinnedToolboxOpener{
		next: next, catalog: catalog, sessions: sessions, pinning: pins, definitions: definitions,
		shown: map[domain.ServerID]showing{},
	}
}

// OpenToolbox implements ports.ToolboxOpener.
func (o *PinnedToolboxOpener) OpenToolbox(ctx context.Context, name domain.ToolboxName) (domain.OpenedToolbox, error) {
	toolbox, err := o.catalog.Toolbox(name)
	if err != nil {
		return domain.OpenedToolbox{}, err
	}
	lock := o.pinning.State()
	if broken := o.pinning.BlocksAll(lock); broken != nil {
		o.reapplyPins(toolbox)
		return domain.OpenedToolbox{}, broken
	}
	opened, err := o.next.OpenToolbox(ctx, name)
	if err != nil {
		return opened, err
	}
	opened.Warnings = append(slices.Clone(opened.Warnings), o.pinning.Warnings(lock)...)
	if toolbox.IsLazy() && !lock.HasLock() {
		opened.Warnings = append(opened.Warnings, domain.Warning{Kind: domain.LazyWithoutLock})
	}
	opened.Servers = slices.Clone(opened.Servers)
	for i, server := range opened.Servers {
		if changes := o.changes(server); len(changes) > 0 {
			opened.Servers[i].Warnings = slices.Concat(server.Warnings, changes)
		}
	}
	return opened, nil
}

// reapplyPins applies the lock again to the tools of a toolbox that were shown before,
// so that they are refused as well. It starts no server.
func (o *PinnedToolboxOpener) reapplyPins(toolbox domain.Toolbox) {
	for _, server := range toolbox.Servers {
		if connection, _ := o.sessions.Last(server.ID); connection != nil {
			connection.ReapplyPins()
		}
	}
}

// changes returns a warning for each tool of which another definition was shown
// before. While the tools stay, so do the warnings.
func (o *PinnedToolboxOpener) changes(server domain.OpenedServer) []domain.Warning {
	if server.Failure != nil {
		return nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	before, known := o.shown[server.ID]
	if known && sameTools(before.tools, server.Tools) {
		return before.warnings
	}
	now, scope := showing{tools: server.Tools, starting: server.Starting}, domain.PinDefinition
	if before.starting || now.starting {
		scope = domain.PinOlder // which every lock holds
	}
	definitions := make(map[string]domain.ToolInfo, len(before.tools))
	for _, tool := range before.tools {
		definitions[tool.Name] = tool
	}
	for _, tool := range server.Tools {
		if old, ok := definitions[tool.Name]; ok {
			now.warnings = append(now.warnings, o.change(old, tool, scope)...)
		}
	}
	o.shown[server.ID] = now
	return now.warnings
}

// sameTools reports whether two lists are one and the same.
func sameTools(a, b []domain.ToolInfo) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// change returns the warning that a tool changed within the scope, if it did.
func (o *PinnedToolboxOpener) change(before, after domain.ToolInfo, scope domain.PinScope) []domain.Warning {
	if string(before.Definition) == string(after.Definition) {
		return nil
	}
	old, now := o.definitions.Pin(before, scope), o.definitions.Pin(after, scope)
	if old.Digest == now.Digest {
		return nil
	}
	return []domain.Warning{{
		Kind: domain.DefinitionChanged, Tool: after.Shown, Detail: pinning.ChangedMembers(o.definitions, old, now),
	}}
}
