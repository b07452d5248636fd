package application

import (
	"sync"
	"sync/atomic"

	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Registrations are the tools of open toolboxes that the host can call by a name
// of their own: all of them in dynamic mode, otherwise those with a page if the host renders pages.
// They follow what is open and what its servers offer: a tool is
// registered as long as its toolbox is open, its server lists it, and that server is
// up or would be started again by a call. Safe for concurrent use.
type Registrations struct {
	catalog ports.Catalog
	known   *sessions.KnownTools
	opened  *Opened
	watcher ports.ToolWatcher
	dynamic bool
	pages   *Pages // nil if pages are not passed on

	mu      sync.Mutex // held while the registry is built; nothing blocks under it
	current atomic.Pointer[domain.RegisteredTools]
}

// Dynamic says that all tools of open toolboxes are registered.
type Dynamic bool

// NewRegistrations returns an empty registry of the known tools of opened toolboxes. It is
// the watcher of the sessions that keep known up to date, and the opener of toolboxes tells
// it when opened changed. Pages can be nil. If they are, and dynamic is not set, no tool is
// ever registered, and NewRegistrations returns nil.
func NewRegistrations(
	catalog ports.Catalog, known *sessions.KnownTools, opened *Opened, watcher ports.ToolWatcher, dynamic Dynamic, pages *Pages,
) *Registrations {
	if !dynamic && pages == nil {
		return nil
	}
	r := &Registrations{catalog: catalog, known: known, opened: opened, watcher: watcher, dynamic: bool(dynamic), pages: pages}
	r.current.Store(domain.NewRegisteredTools(0, nil, nil))
	return r
}

// Watcher returns the registry as the watcher of the tools of servers, nil for a nil registry.
func (r *Registrations) Watcher() sessions.Watcher {
	if r == nil {
		return nil
	}
	return r
}

// ServerChanged implements sessions.Watcher.
func (r *Registrations) ServerChanged(server domain.ServerID) { r.update(server.Toolbox) }

// FollowsTools implements sessions.Watcher.
func (r *Registrations) FollowsTools() bool { return r.dynamic || r.pages.areRendered() }

// Registered implements ports.ToolRegistry.
func (r *Registrations) Registered() *domain.RegisteredTools { return r.current.Load() }

// noteNames adds the names under which the tools are registered, and warns of tools whose name
// is taken by another tool.
func (r *Registrations) noteNames(opened *domain.OpenedToolbox) {
	registered := r.Registered()
	if len(registered.Tools) == 0 {
		return
	}
	opened.OnlyPages = !r.dynamic
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

// update brings the registry up to date after a change in a toolbox.
func (r *Registrations) update(toolbox domain.ToolboxName) {
	if r == nil {
		return
	}
	r.mu.Lock()
	changed := r.rebuildLocked()
	r.mu.Unlock()
	if changed {
		r.watcher.ToolsChanged(toolbox)
	}
}

// reload brings the registry up to date with another configuration, and reports whether a
// host can see a difference. With renew the registry gets a new version in any case,
// since other tools in the host's list changed.
func (r *Registrations) reload(renew bool) (changed bool) {
	if r == nil {
		return false
	}
	r.pages.readClosedAgain(r.catalog)
	r.mu.Lock()
	defer r.mu.Unlock()
	changed = r.rebuildLocked()
	if now := r.Registered(); renew && !changed {
		again := *now
		again.Version++
		r.current.Store(&again)
	}
	return changed || renew
}

// withdraw notes that a toolbox is no longer open. It returns how many tools were
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
	candidates, forPages := r.candidates()
	tools, _, taken := domain.AssignNames(candidates, before.Find,
		func(candidate domain.RegisteredTool) (string, domain.ToolIdentifier) {
			return candidate.Name, candidate.Tool
		})
	after := domain.NewRegisteredTools(before.Version, append(tools, withoutTaken(forPages, tools)...), taken)
	if changed = !after.ShowsAs(before); changed {
		after.Version++
	}
	r.current.Store(after)
	return changed
}

// candidates returns the tools that would be registered if all names were different, in
// the order of the registry, and the entries for pages.
func (r *Registrations) candidates() (found, forPages []domain.RegisteredTool) {
	rendered := r.pages.areRendered()
	if !rendered && !r.dynamic {
		return nil, nil
	}
	for _, toolbox := range r.catalog.Toolboxes() {
		isOpen := r.opened.Contains(toolbox.Name)
		for _, server := range toolbox.Servers {
			if rendered {
				tools, entries := r.pages.registeredTools(server, r.toolsForPages(server.ID, isOpen), r.dynamic && isOpen)
				found, forPages = append(found, tools...), append(forPages, entries...)
			} else if isOpen {
				for _, tool := range r.known.Tools(server.ID) {
					found = append(found, registeredTool(server, tool))
				}
			}
		}
	}
	return found, forPages
}

// toolsForPages returns the tools of a server for a host that renders pages: it sees those of closed toolboxes too, and
// of servers that were not started since a call of another server opened the toolbox.
func (r *Registrations) toolsForPages(server domain.ServerID, isOpen bool) []domain.ToolInfo {
	if isOpen && r.known.Contains(server) {
		return r.known.Tools(server)
	}
	return r.pages.closedTools(server)
}

// registeredTool returns a tool of a server as it would be registered.
func registeredTool(server domain.Server, tool domain.ToolInfo) domain.RegisteredTool {
	return domain.RegisteredTool{
		Name: domain.RegisteredName(server.ID, tool), Definition: tool.Definition,
		Tool: domain.ToolIdentifier{Toolbox: server.ID.Toolbox, Server: server.ID.Server, Tool: tool.Name},
		Fits: server.Results == domain.ResultsFit,
	}
}
