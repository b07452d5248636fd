package application

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Registrations are the tools of open toolboxes that the host can call by a name
// of their own. They follow what is open and what its servers offer: a tool is
// registered as long as its toolbox is open, its server lists it, and that server is
// up or would be started again by a call. Safe for concurrent use.
type Registrations struct {
	catalog ports.Catalog
	known   *sessions.KnownTools
	opened  *Opened
	watcher ports.ToolWatcher

	mu      sync.Mutex // held while the registry is built; nothing blocks under it
	current atomic.Pointer[domain.RegisteredTools]
}

// NewRegistrations returns an empty registry of the known tools of opened toolboxes.
// The sessions that keep known up to date tell it when that changed (it is their
// watcher), and the opener of toolboxes when opened did.
func NewRegistrations(catalog ports.Catalog, known *sessions.KnownTools, opened *Opened, watcher ports.ToolWatcher) *Registrations {
	r := &Registrations{catalog: catalog, known: known, opened: opened, watcher: watcher}
	r.current.Store(domain.NewRegisteredTools(0, nil, nil))
	return r
}

// ServerChanged implements sessions.Watcher.
func (r *Registrations) ServerChanged(server domain.ServerID) { r.update(server.Toolbox) }

// Registered implements ports.ToolRegistry.
func (r *Registrations) Registered() *domain.RegisteredTools { return r.current.Load() }

// noteNames adds the names under which the tools are registered, and warns of tools whose name
// another tool has.
func (r *Registrations) noteNames(opened *domain.OpenedToolbox) {
	registered := r.Registered()
	for i := range opened.Servers {
		server := &opened.Servers[i]
		server.Registered = registered.Names(server.ID)
		if len(registered.Taken) == 0 {
			continue
		}
		for _, tool := range server.Tools {
			id := domain.ToolIdentifier{Toolbox: server.ID.Toolbox, Server: server.ID.Server, Tool: tool.Name}
			if name, ok := registered.Taken[id]; ok {
				warn(server, []domain.Warning{{Kind: domain.NameTaken, Tool: tool.Shown, Detail: name}})
			}
		}
	}
}

// update brings the registry up to date because of something about a toolbox.
func (r *Registrations) update(toolbox domain.ToolboxName) {
	r.mu.Lock()
	changed := r.rebuildLocked()
	r.mu.Unlock()
	if changed {
		r.watcher.ToolsChanged(toolbox)
	}
}

// reload brings the registry up to date with another configuration, and reports whether a
// host can see a difference. With renew it is another version in any case, since the
// other tools of the host's list changed.
func (r *Registrations) reload(renew bool) (changed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	changed = r.rebuildLocked()
	if now := r.Registered(); renew && !changed {
		r.current.Store(domain.NewRegisteredTools(now.Version+1, now.Tools, now.Taken))
	}
	return changed || renew
}

// withdraw notes that a toolbox is no longer open. It returns how many tools that
// removed, and whether the toolbox was open.
func (r *Registrations) withdraw(toolbox domain.ToolboxName) (removed int, wasOpen bool) {
	r.mu.Lock()
	removed = r.Registered().Count(toolbox)
	wasOpen = r.opened.remove(toolbox)
	changed := r.rebuildLocked()
	r.mu.Unlock()
	if changed {
		r.watcher.ToolsChanged(toolbox)
	}
	return removed, wasOpen
}

// rebuildLocked builds the registry again and reports whether a host can see a
// difference.
func (r *Registrations) rebuildLocked() (changed bool) {
	before := r.Registered()
	tools, taken := assign(r.candidates(), before)
	if sameRegistered(before.Tools, tools) {
		if !maps.Equal(taken, before.Taken) {
			r.current.Store(domain.NewRegisteredTools(before.Version, tools, taken))
		}
		return false
	}
	r.current.Store(domain.NewRegisteredTools(before.Version+1, tools, taken))
	return true
}

// candidates are the tools that would be registered if no two had one name, in the
// order of the registry.
func (r *Registrations) candidates() []domain.RegisteredTool {
	var found []domain.RegisteredTool
	for _, toolbox := range r.catalog.Toolboxes() {
		if !r.opened.Contains(toolbox.Name) {
			continue
		}
		for _, server := range toolbox.Servers {
			for _, tool := range r.known.Tools(server.ID) {
				found = append(found, domain.RegisteredTool{
					Name: domain.RegisteredName(server.ID, tool), Definition: tool.Definition,
					Tool: domain.ToolIdentifier{Toolbox: toolbox.Name, Server: server.ID.Server, Tool: tool.Name},
					Fits: server.Results == domain.ResultsFit,
				})
			}
		}
	}
	return found
}

// assign leaves each name to one candidate: to the tool that had it before, so that
// no name comes to mean another tool while it is in use, else to the first.
func assign(
	candidates []domain.RegisteredTool, before *domain.RegisteredTools,
) (tools []domain.RegisteredTool, taken map[domain.ToolIdentifier]string) {
	owners := make(map[string]domain.ToolIdentifier, len(candidates))
	for _, candidate := range candidates {
		if owner, ok := before.Find(candidate.Name); ok && owner == candidate.Tool {
			owners[candidate.Name] = owner
		}
	}
	tools = candidates[:0]
	for _, candidate := range candidates {
		owner, owned := owners[candidate.Name]
		if owned && owner != candidate.Tool {
			if taken == nil {
				taken = map[domain.ToolIdentifier]string{}
			}
			taken[candidate.Tool] = candidate.Name
			continue
		}
		owners[candidate.Name] = candidate.Tool
		tools = append(tools, candidate)
	}
	return tools, taken
}

func sameRegistered(before, after []domain.RegisteredTool) bool {
	return slices.EqualFunc(before, after, func(a, b domain.RegisteredTool) bool {
		return a.Name == b.Name && a.Tool == b.Tool && a.Fits == b.Fits && string(a.Definition) == string(b.Definition)
	})
}
