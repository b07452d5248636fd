package application

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"mcp-workbench/domain"
	"mcp-workbench/domain/extensions"
	"mcp-workbench/ports"
)

// Pages decides what one host sees of pages, the user interfaces of tools (MCP Apps), while it declares that it
// renders them (tests/acceptance/CONTRACT.md section 25). A nil Pages passes none on. Safe for concurrent use.
type Pages struct {
	host     interface{ Capabilities() json.RawMessage }
	closed   *ClosedTools
	reserved []string // names of the workbench's own tools

	declared atomic.Pointer[declaredPages] // for the last capabilities that were read, since every call asks

	mu    sync.Mutex                            // guards the fields below
	lists map[domain.ServerID][]domain.ToolInfo // of closed toolboxes, nil until the host asks for them
	read  map[domain.ServerID]bool              // servers of which the host read a page
	shown []domain.ServerID                     // servers of which a model called a tool with a page, the last one at the end
}

// declaredPages records whether the capabilities of a host declare that it renders pages.
type declaredPages struct {
	capabilities json.RawMessage
	rendered     bool
}

// NewPages returns the Pages of a host. Closed finds tools of closed toolboxes; reserved are names that pages cannot
// call.
func NewPages(host ports.Host, closed *ClosedTools, reserved ...string) *Pages {
	return &Pages{host: host, closed: closed, reserved: reserved, read: map[domain.ServerID]bool{}}
}

// areRendered reports whether the host renders pages.
func (p *Pages) areRendered() bool {
	if p == nil {
		return false
	}
	capabilities := p.host.Capabilities()
	last := p.declared.Load()
	if last == nil || string(last.capabilities) != string(capabilities) {
		last = &declaredPages{capabilities: capabilities, rendered: extensions.RendersPages(capabilities)}
		p.declared.Store(last)
	}
	return last.rendered
}

// closedTools returns the tools of a server in a closed toolbox, as they were read last.
func (p *Pages) closedTools(server domain.ServerID) []domain.ToolInfo {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lists[server]
}

// readClosed reads the tools of all servers, for a host that sees those of closed toolboxes too.
func (p *Pages) readClosed(catalog ports.Catalog) {
	lists := map[domain.ServerID][]domain.ToolInfo{}
	for server := range domain.ServersOf(catalog.Toolboxes()) {
		lists[server.ID] = p.closed.Tools(server)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lists = lists
}

// readClosedAgain calls readClosed if the host saw tools of closed toolboxes before.
func (p *Pages) readClosedAgain(catalog ports.Catalog) {
	if p == nil {
		return
	}
	p.mu.Lock()
	wereRead := p.lists != nil
	p.mu.Unlock()
	if wereRead {
		p.readClosed(catalog)
	}
}

// registeredTools returns the tools of a server as they would be registered, all of them or only those with a page, without
// those that only pages can call, and the entries under which its pages call its tools. Hosts let a page call only listed
// tools, and a page knows only its server's own names. A definition with a page has the address under which the host
// reads it, and results of its tool are not cut.
func (p *Pages) registeredTools(server domain.Server, tools []domain.ToolInfo, all bool) (forModels, forPages []domain.RegisteredTool) {
	hasPages := false
	// Lists of closed toolboxes come from the lock, which has another order than the server.
	byName := slices.SortedStableFunc(slices.Values(tools), func(a, b domain.ToolInfo) int { return strings.Compare(a.Name, b.Name) })
	for _, tool := range byName {
		registered, read := registeredTool(server, tool), extensions.ReadInterface(tool.Definition)
		if registered.HasPage = read.Page != ""; registered.HasPage {
			hasPages = true
			registered.Definition, registered.Fits = extensions.WithPage(tool.Definition, extensions.PageAddress(server.ID, read.Page)), false
		}
		if read.ForApp && isToolName(tool.Name) && !slices.Contains(p.reserved, tool.Name) {
			entry := registered
			entry.Name, entry.ForPages, entry.Fits = tool.Name, true, false
			entry.Definition = extensions.OnlyForPages(entry.Definition)
			forPages = append(forPages, entry)
		}
		if read.ForModel && (registered.HasPage || all) {
			// A page could call it otherwise, whichever server the page is of.
			registered.Definition = extensions.OnlyForModels(registered.Definition)
			forModels = append(forModels, registered)
		}
	}
	if !hasPages {
		return forModels, nil
	}
	return forModels, forPages
}

// maxToolName is the maximum length of names of tools (SEP-986), in bytes.
const maxToolName = 128

// isToolName reports whether the protocol allows a name (SEP-986).
func isToolName(name string) bool {
	const punctuation = "_-./"
	return name != "" && len(name) <= maxToolName && strings.IndexFunc(name, func(r rune) bool {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		return !letter && (r < '0' || r > '9') && !strings.ContainsRune(punctuation, r)
	}) < 0
}

// withoutTaken returns the entries for pages whose name no registered tool has.
func withoutTaken(forPages, registered []domain.RegisteredTool) []domain.RegisteredTool {
	return slices.DeleteFunc(forPages, func(entry domain.RegisteredTool) bool {
		return slices.ContainsFunc(registered, func(tool domain.RegisteredTool) bool { return tool.Name == entry.Name })
	})
}

// shownPages returns the servers whose pages are shown, the last one at the end.
//
// Decision: reading a page does not suffice, since pages can read too: in hosts that pass resources/read of a page on,
// a page could otherwise make another server count as shown and then call its tools. Only models call tools by
// registered names.
func (p *Pages) shownPages(registered *domain.RegisteredTools) []domain.ServerID {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(p.shown), func(server domain.ServerID) bool { return !p.read[server] || !registered.HasPages(server) })
}

// noteModelTools removes the tools that only pages can call from an answer, if the host renders pages.
func (p *Pages) noteModelTools(opened *domain.OpenedToolbox) {
	if !p.areRendered() {
		return
	}
	for i := range opened.Servers {
		server := &opened.Servers[i]
		server.Tools = extensions.ToolsForModel(server.Tools)
	}
}

// RendersPages implements ports.ToolRegistry.
func (r *Registrations) RendersPages() bool { return r.pages.areRendered() }

// Refresh implements ports.ToolRegistry.
func (r *Registrations) Refresh() {
	if !r.pages.areRendered() {
		return
	}
	r.pages.readClosed(r.catalog)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rebuildLocked()
}

// FindForPage implements ports.ToolRegistry.
func (r *Registrations) FindForPage(name string, canAsk bool) (tool domain.ToolIdentifier, needsYes bool, err error) {
	registered := r.Registered()
	tools := registered.ForPages(name)
	if len(tools) == 0 {
		return domain.ToolIdentifier{}, false, fmt.Errorf("find the tool %q of a page: %w", name, domain.ErrToolNotFound)
	}
	shown := r.pages.shownPages(registered)
	meant := slices.DeleteFunc(slices.Clone(tools), func(tool domain.ToolIdentifier) bool { return !slices.Contains(shown, tool.ServerID()) })
	if len(meant) != 1 || !canAsk && meant[0].ServerID() != shown[len(shown)-1] {
		return domain.ToolIdentifier{}, false, &domain.PageToolError{Name: name, Shown: len(meant)}
	}
	return meant[0], canAsk && len(shown) > 1, nil
}

// PageRead implements ports.ToolRegistry.
func (r *Registrations) PageRead(server domain.ServerID) {
	r.pages.mu.Lock()
	defer r.pages.mu.Unlock()
	r.pages.read[server] = true
}

// ResultShown implements ports.ToolRegistry.
func (r *Registrations) ResultShown(server domain.ServerID) {
	r.pages.mu.Lock()
	defer r.pages.mu.Unlock()
	r.pages.shown = append(slices.DeleteFunc(r.pages.shown, func(other domain.ServerID) bool { return other == server }), server)
}
