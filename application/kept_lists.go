package application

import (
	"encoding/json"
	"sync"

	"mcp-workbench/application/pinning"
	"mcp-workbench/domain"
	"mcp-workbench/domain/arguments"
	"mcp-workbench/domain/extensions"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// anyHost takes the place of a host's capabilities for lists that are kept for searches.
var anyHost = json.RawMessage(`"find"`)

// KeepTools keeps the tools of a server for later searches, including those by other processes.
func KeepTools(listings ports.Listings, server domain.Server, tools []domain.ToolInfo) {
	known := make([]domain.ToolInfo, 0, len(tools))
	for _, tool := range tools {
		if tool.Name != "" {
			known = append(known, domain.ToolInfo{Name: tool.Name, Shown: tool.Shown, Definition: reducedDefinition(tool.Own())})
		}
	}
	listings.Keep(server, anyHost, ports.KeptList{Tools: known})
}

// reducedDefinition returns a definition with only the members that searches and signatures need. A definition that has a page
// or restricts who may call the tool is returned whole.
func reducedDefinition(definition json.RawMessage) json.RawMessage {
	if read := extensions.ReadInterface(definition); read.Page != "" || !read.ForModel || !read.ForApp {
		return definition
	}
	var object rawjson.Object
	for _, name := range []string{"name", "title", "description", "inputSchema"} {
		if value := rawjson.Member(definition, name); value != nil {
			object = object.Raw(name, value)
		}
	}
	return object.JSON()
}

// keptLists finds the tools of servers that are not up. It keeps the tools that it found until the lock or the
// settings of the server change. It is plain data; the owner locks.
//
// Decision: the lock takes precedence over kept lists, since it was reviewed. Kept lists are files that other
// programs of the user can change. They are shown under the same rules as the lists of servers: the filter
// and the policy of the lock. Without a lock, the lists of servers were not reviewed either.
type keptLists struct {
	pins     *pinning.Pinning
	listings ports.Listings
	lists    map[domain.ServerID]keptList
}

func newKeptLists(pins *pinning.Pinning, listings ports.Listings) keptLists {
	return keptLists{pins: pins, listings: listings, lists: map[domain.ServerID]keptList{}}
}

// keptList has the tools of a server under its settings and a lock.
type keptList struct {
	server domain.Server
	lock   pinning.LockState
	tools  []domain.ToolInfo
	known  bool
}

// find returns the locked tools of a server, otherwise those that it listed last, and whether they are known.
func (l *keptLists) find(server domain.Server, lock pinning.LockState) (tools []domain.ToolInfo, known bool) {
	last, isRead := l.lists[server.ID]
	if !isRead || !last.known || last.lock != lock || !last.server.Equal(server) {
		last = keptList{server: server, lock: lock}
		last.tools, last.known = l.list(server, lock)
		last.tools = arguments.AdjustList(server.Adjustments, domain.ToolList{Tools: last.tools}).Tools
		l.lists[server.ID] = last
	}
	return last.tools, last.known
}

// forget makes the next find read the tools again.
func (l *keptLists) forget(server domain.ServerID) { delete(l.lists, server) }

// list reads the tools that find returns.
func (l *keptLists) list(server domain.Server, lock pinning.LockState) (tools []domain.ToolInfo, known bool) {
	if tools, known = lock.Locked(server); known {
		return tools, true
	}
	kept, known := l.listings.Find(server, anyHost)
	if !known {
		return nil, false
	}
	listed := server.Tools.Apply(domain.ToolList{Tools: kept.Tools})
	return l.pins.Apply(server, listed, lock).Tools, true
}

// ClosedTools finds tools of servers that are not up. Safe for concurrent use.
type ClosedTools struct {
	pins *pinning.Pinning

	mu    sync.Mutex // guards lists
	lists keptLists
}

// NewClosedTools returns a ClosedTools over the lock and the lists that were kept for searches.
func NewClosedTools(pins *pinning.Pinning, listings ports.Listings) *ClosedTools {
	return &ClosedTools{pins: pins, lists: newKeptLists(pins, listings)}
}

// Tools returns the tools that the lock holds for a server, otherwise those that the server listed last, with its filter
// applied. It returns nil if they are not known. It may read files.
func (c *ClosedTools) Tools(server domain.Server) []domain.ToolInfo {
	lock := c.pins.State() // may read a file, so this comes before the mutex
	c.mu.Lock()
	defer c.mu.Unlock()
	tools, _ := c.lists.find(server, lock)
	return tools
}

// KeepOpened returns a note that keeps the tools of an opened toolbox for later searches. It must come before notes
// that leave tools out, such as those that only pages call.
func KeepOpened(listings ports.Listings) OpeningNote {
	return func(opened *domain.OpenedToolbox) {
		for _, listed := range opened.Servers {
			server := opened.Toolbox.Find(listed.ID.Server)
			if server != nil && listed.Failure == nil {
				KeepTools(listings, *server, listed.Tools)
			}
		}
	}
}
