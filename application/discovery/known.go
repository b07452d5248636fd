package discovery

import (
	"encoding/json"

	"mcp-workbench/application/pinning"
	"mcp-workbench/domain"
	"mcp-workbench/domain/arguments"
	"mcp-workbench/domain/extensions"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// anyHost takes the place of a host's capabilities for lists that are kept for searches.
var anyHost = json.RawMessage(`"find"`)

// Keep keeps the tools of a server for later searches, including those by other processes.
func Keep(listings ports.Listings, server domain.Server, tools []domain.ToolInfo) {
	kept := make([]domain.ToolInfo, 0, len(tools))
	for _, tool := range tools {
		if tool.Name != "" {
			kept = append(kept, domain.ToolInfo{Name: tool.Name, Shown: tool.Shown, Definition: reduced(tool.Own())})
		}
	}
	listings.Keep(server, anyHost, ports.KeptList{Tools: kept})
}

// reduced returns a definition with only the members that searches and signatures need. A definition that has a page
// or restricts who may call the tool is returned whole.
func reduced(definition json.RawMessage) json.RawMessage {
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

// lists finds the tools of servers that are not up. It keeps the tools that it found until the lock or the
// settings of the server change. It is plain data; the owner locks.
type lists struct {
	pins     *pinning.Pinning
	listings ports.Listings
	read     map[domain.ServerID]list
}

func newLists(pins *pinning.Pinning, listings ports.Listings) lists {
	return lists{pins: pins, listings: listings, read: map[domain.ServerID]list{}}
}

// list has the tools of a server under its settings and a lock.
type list struct {
	server domain.Server
	lock   pinning.LockState
	tools  []domain.ToolInfo
	known  bool
}

// find returns the locked tools of a server, otherwise those that it listed last, and whether they are known.
func (l *lists) find(server domain.Server, lock pinning.LockState) (tools []domain.ToolInfo, known bool) {
	last, isRead := l.read[server.ID]
	if !isRead || !last.known || last.lock != lock || !last.server.Equal(server) {
		last = list{server: server, lock: lock}
		last.tools, last.known = l.look(server, lock)
		last.tools = arguments.AdjustList(server.Adjustments, domain.ToolList{Tools: last.tools}).Tools
		l.read[server.ID] = last
	}
	return last.tools, last.known
}

// forget makes the next find read the tools again.
func (l *lists) forget(server domain.ServerID) { delete(l.read, server) }

func (l *lists) look(server domain.Server, lock pinning.LockState) (tools []domain.ToolInfo, known bool) {
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
