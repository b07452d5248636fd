package application

import (
	"context"
	"slices"
	"sync"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// PinnedToolboxOpener is the use case OpenToolbox that says which tools are not as
// they were: as they were shown before in this run, and what there is to say about
// the lock as a whole.
type PinnedToolboxOpener struct {
	next        ports.ToolboxOpener
	catalog     ports.Catalog
	sessions    *Sessions
	pinning     *Pinning
	definitions ports.Definitions

	mu    sync.Mutex // guards shown; nothing blocks under it
	shown map[domain.ServerID]showing
}

// showing is what was shown of a server last.
type showing struct {
	tools    []domain.ToolInfo
	warnings []domain.Warning // how they differed from those before
}

// NewPinnedToolboxOpener returns the use case over the one that opens toolboxes.
func NewPinnedToolboxOpener(
	next ports.ToolboxOpener, catalog ports.Catalog, sessions *Sessions, pinning *Pinning, definitions ports.Definitions,
) *PinnedToolboxOpener {
	return &PinnedToolboxOpener{
		next: next, catalog: catalog, sessions: sessions, pinning: pinning, definitions: definitions,
		shown: map[domain.ServerID]showing{},
	}
}

// OpenToolbox implements ports.ToolboxOpener.
func (o *PinnedToolboxOpener) OpenToolbox(ctx context.Context, name domain.ToolboxName) (domain.OpenedToolbox, error) {
	toolbox, err := o.catalog.Toolbox(name)
	if err != nil {
		return domain.OpenedToolbox{}, err
	}
	by := o.pinning.basis()
	if by.broken != nil && o.pinning.blocks() {
		o.block(toolbox)
		return domain.OpenedToolbox{}, by.broken
	}
	opened, err := o.next.OpenToolbox(ctx, name)
	if err != nil {
		return opened, err
	}
	opened.Warnings = append(slices.Clone(opened.Warnings), o.pinning.warnAbout(by)...)
	opened.Servers = slices.Clone(opened.Servers)
	for i, server := range opened.Servers {
		if changes := o.changes(server); len(changes) > 0 {
			opened.Servers[i].Warnings = slices.Concat(server.Warnings, changes)
		}
	}
	return opened, nil
}

// block judges the servers of a toolbox that are known anew, so that what was offered
// before is refused as well. It starts none.
func (o *PinnedToolboxOpener) block(toolbox domain.Toolbox) {
	for _, server := range toolbox.Servers {
		if connection, _ := o.sessions.Known(server.ID); connection != nil {
			connection.judgeAnew()
		}
	}
}

// warnAbout says what there is to say about the lock as a whole.
func (p *Pinning) warnAbout(by basis) []domain.Warning {
	switch {
	case by.broken != nil:
		return []domain.Warning{{Kind: domain.LockUnusable, Detail: by.broken.Reason}}
	case p != nil && by.lock == nil && (p.policy == domain.PinWarn || p.policy == domain.PinBlock):
		return []domain.Warning{{Kind: domain.LockMissing}}
	}
	return nil
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
	now := showing{tools: server.Tools}
	definitions := make(map[string]domain.ToolInfo, len(before.tools))
	for _, tool := range before.tools {
		definitions[tool.Name] = tool
	}
	for _, tool := range server.Tools {
		if old, ok := definitions[tool.Name]; ok {
			now.warnings = append(now.warnings, o.change(old, tool)...)
		}
	}
	o.shown[server.ID] = now
	return now.warnings
}

// sameTools reports whether two lists are one and the same.
func sameTools(a, b []domain.ToolInfo) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// change returns the warning that a tool changed, if it did.
func (o *PinnedToolboxOpener) change(before, after domain.ToolInfo) []domain.Warning {
	if string(before.Definition) == string(after.Definition) {
		return nil
	}
	old, now := o.definitions.Pin(before), o.definitions.Pin(after)
	if old.Digest == now.Digest {
		return nil
	}
	return []domain.Warning{{
		Kind: domain.DefinitionChanged, Tool: after.Shown, Detail: changedMembers(o.definitions, old, now),
	}}
}
