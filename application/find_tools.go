package application

import (
	"slices"
	"sync"

	"mcp-workbench/application/pinning"
	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/domain/finding"
	"mcp-workbench/ports"
)

// Bounds of a search.
const (
	// maxFound is the maximum number of tools in an answer, unless more are named. In nine of ten searches the
	// right tool is among that many.
	maxFound = 8
	// maxIndexed is the maximum number of tools that are indexed, in the order of the configuration.
	maxIndexed = 20_000
)

// RunningTools are the tools of servers that are up. Safe for concurrent use.
type RunningTools interface {
	// Listed returns the tools of a server as they were last listed, with its filter and the lock applied,
	// and whether they are known. The result never changes.
	Listed(server domain.ServerID) (tools []domain.ToolInfo, known bool)
}

// ToolFinder is the use case FindTools: it finds tools by words without starting servers. It searches the tools of
// servers that are up, those that the lock holds, and those that servers listed last when their toolboxes were opened.
// Safe for concurrent use.
//
// Decision: an index is made at the first search, and again when the known tools have changed. Before the
// first search nothing is read or kept in memory.
type ToolFinder struct {
	indexes *ToolIndexes
	catalog ports.Catalog
	running RunningTools
	servers ports.ServerSessions // nil if none was started
	closed  *ClosedTools

	mu   sync.Mutex // guards the field below
	read map[domain.ServerID]readTools
}

var _ ports.ToolFinder = (*ToolFinder)(nil)

// NewToolFinder returns the use case over the toolboxes of a catalog. Pins decide which tools exist. Listings has
// the tools that KeepTools kept. Servers are those that were started, nil for none.
func NewToolFinder(
	indexes *ToolIndexes, catalog ports.Catalog, running RunningTools, servers ports.ServerSessions, pins *pinning.Pinning, listings ports.Listings,
) *ToolFinder {
	return &ToolFinder{
		indexes: indexes, catalog: catalog, running: running, servers: servers, closed: NewClosedTools(pins, listings), read: map[domain.ServerID]readTools{},
	}
}

// toolSource has the tools of one server, as they are indexed.
type toolSource struct {
	server domain.ServerID
	about  string // the description of the toolbox
	tools  []domain.ToolInfo
	known  bool
}

func (s toolSource) equal(other toolSource) bool {
	return s.server == other.server && s.about == other.about && s.known == other.known && len(s.tools) == len(other.tools) &&
		(len(s.tools) == 0 || &s.tools[0] == &other.tools[0]) // lists never change
}

// FindTools implements ports.ToolFinder.
func (f *ToolFinder) FindTools(query string) domain.Findings {
	lock := f.closed.pins.State() // may read a file, so this comes before the mutex
	f.mu.Lock()
	defer f.mu.Unlock()
	toolboxes := f.catalog.Toolboxes()
	sources := f.look(toolboxes, lock)
	index := f.indexes.of(toolboxes, sources)
	matched := index.words.Search(query, maxFound)
	found := domain.Findings{NotSearched: f.notSearched(toolboxes, sources), Cut: matched.Cut}
	for _, match := range matched.Matches {
		found.Found = append(found.Found, index.entries[match.Tool])
	}
	for _, word := range matched.Absent {
		found.Absent = append(found.Absent, domain.AbsentWord(word))
	}
	found.More = index.more(found.Found, matched.Rest)
	return found
}

// more returns how many further tools match on the server that most of the found ones belong to, the first of those.
func (t *toolIndex) more(found []domain.Finding, rest []finding.Match) (more domain.MoreTools) {
	shown, most := map[domain.ServerID]int{}, 0
	for _, tool := range found {
		if !tool.IsToolbox() {
			shown[tool.Server]++
			most = max(most, shown[tool.Server])
		}
	}
	first := slices.IndexFunc(found, func(tool domain.Finding) bool { return shown[tool.Server] == most && most > 0 })
	if first < 0 {
		return more
	}
	more.Server = found[first].Server
	for _, match := range rest {
		if t.entries[match.Tool].Server == more.Server {
			more.Count++
		}
	}
	return more
}

// notSearched returns the servers whose tools are not known.
func (f *ToolFinder) notSearched(toolboxes []domain.Toolbox, sources []toolSource) (servers []domain.UnsearchedServer) {
	failed := map[domain.ServerID]bool{}
	if f.servers != nil && slices.ContainsFunc(sources, func(source toolSource) bool { return !source.known }) {
		f.servers.Statuses(func(status ports.ServerStatus) {
			failed[status.Server.ID] = status.State == string(sessions.StateFailed)
		})
	}
	for _, toolbox := range slices.Concat(toolboxes, f.catalog.Disabled()) {
		for _, server := range unlistedServers(toolbox, sources) {
			id, why := domain.ServerID{Toolbox: toolbox.Name, Server: server}, domain.UnsearchedUnlisted
			if failed[id] {
				why = domain.UnsearchedFailed
			}
			servers = append(servers, domain.UnsearchedServer{Server: id, Why: why})
		}
		for _, server := range toolbox.Disabled {
			id := domain.ServerID{Toolbox: toolbox.Name, Server: server}
			servers = append(servers, domain.UnsearchedServer{Server: id, Why: domain.UnsearchedDisabled})
		}
	}
	return servers
}

// look returns the known tools of each server.
func (f *ToolFinder) look(toolboxes []domain.Toolbox, lock pinning.LockState) []toolSource {
	var sources []toolSource
	for _, toolbox := range toolboxes {
		for _, server := range toolbox.Servers {
			next := toolSource{server: server.ID, about: toolbox.Description}
			if next.tools, next.known = f.running.Listed(server.ID); next.known {
				delete(f.read, server.ID) // it may list other tools than those that were kept
			} else {
				next.tools, next.known = f.find(server, lock)
			}
			sources = append(sources, next)
		}
	}
	return sources
}

// readTools are the known tools of a server that is not up, under its settings and a lock.
type readTools struct {
	server domain.Server
	lock   pinning.LockState
	tools  []domain.ToolInfo
}

// find is ClosedTools.find, which it calls again only if the tools were not known, or under another lock or other settings.
func (f *ToolFinder) find(server domain.Server, lock pinning.LockState) (tools []domain.ToolInfo, known bool) {
	if last, isRead := f.read[server.ID]; isRead && last.lock == lock && last.server.Equal(server) {
		return last.tools, true
	}
	if tools, known = f.closed.find(server, lock); known {
		f.read[server.ID] = readTools{server, lock, tools}
	}
	return tools, known
}

// indexed returns everything that can be found, and an index of it.
func indexed(toolboxes []domain.Toolbox, sources []toolSource) ([]domain.Finding, *finding.Index) {
	var entries []domain.Finding
	var tools []finding.Tool
	for _, source := range sources {
		for _, tool := range source.tools[:min(len(source.tools), maxIndexed-len(entries))] {
			read := finding.Read(tool.Definition)
			read.Name, read.About = tool.Shown, source.about
			read.Place = string(source.server.Toolbox) + " " + string(source.server.Server)
			entries, tools = append(entries, domain.Finding{Server: source.server, Tool: tool, Deprecated: read.Deprecated}), append(tools, read)
		}
	}
	for _, toolbox := range toolboxes {
		servers := unlistedServers(toolbox, sources)
		if len(servers) == 0 {
			continue
		}
		entries = append(entries, domain.Finding{Server: domain.ServerID{Toolbox: toolbox.Name}, Description: toolbox.Description})
		tools = append(tools, finding.Tool{Name: string(toolbox.Name), Description: toolbox.Description, Parameters: domain.Texts(servers)})
	}
	return entries, finding.NewIndex(tools)
}

// unlistedServers returns the servers of a toolbox whose tools are not known.
func unlistedServers(toolbox domain.Toolbox, sources []toolSource) (servers []domain.ServerName) {
	for _, source := range sources {
		if source.server.Toolbox == toolbox.Name && !source.known {
			servers = append(servers, source.server.Server)
		}
	}
	return servers
}
