package application

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

// KeepTools keeps the tools of a server for later searches, including those by other processes.
func KeepTools(listings ports.Listings, server domain.Server, tools []domain.ToolInfo) {
	known, size := make([]domain.ToolInfo, 0, len(tools)), 0
	for _, tool := range tools {
		if size > ports.MaxKeptList { // then none of them is kept, and no more have to be copied
			break
		}
		if tool.Name != "" {
			reduced := reducedDefinition(tool.Own())
			known, size = append(known, domain.ToolInfo{Name: tool.Name, Shown: tool.Shown, Definition: reduced}), size+len(reduced)
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

// ClosedTools finds tools of servers that are not up. Safe for concurrent use.
//
// Decision: the lock takes precedence over kept lists, since it was reviewed. Kept lists are files that other
// programs of the user can change. They are shown under the same rules as the lists of servers: the filter
// and the policy of the lock. Without a lock, the lists of servers were not reviewed either.
type ClosedTools struct {
	pins     *pinning.Pinning
	listings ports.Listings
}

// NewClosedTools returns a ClosedTools over the lock and the lists that were kept for searches.
func NewClosedTools(pins *pinning.Pinning, listings ports.Listings) *ClosedTools {
	return &ClosedTools{pins: pins, listings: listings}
}

// Tools returns the tools that the lock holds for a server, otherwise those that the server listed last, with its filter
// applied. It returns nil if they are not known. It may read files.
func (c *ClosedTools) Tools(server domain.Server) []domain.ToolInfo {
	tools, _ := c.find(server, c.pins.State())
	return tools
}

// find returns the locked tools of a server, otherwise those that it listed last, and whether they are known.
func (c *ClosedTools) find(server domain.Server, lock pinning.LockState) (tools []domain.ToolInfo, known bool) {
	if tools, known = lock.Locked(server); !known {
		kept, isKept := c.listings.Find(server, anyHost)
		if !isKept {
			return nil, false
		}
		tools = c.pins.Apply(server, server.Tools.Apply(domain.ToolList{Tools: kept.Tools}), lock).Tools
	}
	return arguments.AdjustList(server.Adjustments, domain.ToolList{Tools: tools}).Tools, true
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
