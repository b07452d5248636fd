package activity

import (
	"strings"

	"mcp-workbench/domain"
)

// maxPlaces is the number of places that are kept, a power of two.
const maxPlaces = 64

// places keeps the JSON members that name the subject of an activity, since many lines share them. A place is
// kept until another one needs its slot. The zero value is empty.
type places struct{ slots [maxPlaces]*place }

// place has the members of lines about a tool, a server or a toolbox.
type place struct {
	kind    domain.ActivityKind
	tool    domain.ToolIdentifier
	members string
}

// append appends the members for an activity.
func (p *places) append(to []byte, a *domain.Activity) []byte {
	if a.Unknown || len(a.Tool.Toolbox)+len(a.Tool.Server)+len(a.Tool.Tool) > maxName {
		return appendPlace(to, a) // callers can make up any number of names
	}
	slot := &p.slots[slotFor(&a.Tool)]
	if kept := *slot; kept != nil && kept.tool == a.Tool && kept.kind == a.Kind {
		return append(to, kept.members...)
	}
	begin := len(to)
	to = appendPlace(to, a)
	*slot = &place{kind: a.Kind, tool: clone(a.Tool), members: string(to[begin:])}
	return to
}

// slotFor returns the slot of a tool, below maxPlaces. Tools that share a slot are only slower.
func slotFor(tool *domain.ToolIdentifier) int {
	slot := len(tool.Toolbox) + 3*len(tool.Server) + 5*len(tool.Tool)
	if end := len(tool.Server) - 1; end >= 0 {
		slot += 7 * int(tool.Server[end])
	}
	if end := len(tool.Tool) - 1; end >= 0 {
		slot += 11*int(tool.Tool[end]) + 13*int(tool.Tool[end/2])
	}
	return slot % maxPlaces
}

// clone returns a tool whose names are copies, so that it does not keep the memory of a request.
func clone(tool domain.ToolIdentifier) domain.ToolIdentifier {
	return domain.ToolIdentifier{
		Toolbox: domain.ToolboxName(strings.Clone(string(tool.Toolbox))), Server: domain.ServerName(strings.Clone(string(tool.Server))),
		Tool: strings.Clone(tool.Tool),
	}
}

func appendPlace(to []byte, a *domain.Activity) []byte {
	to = appendName(to, `,"kind":`, string(a.Kind))
	to = appendName(to, `,"toolbox":`, string(a.Tool.Toolbox))
	to = appendName(to, `,"server":`, string(a.Tool.Server))
	return appendName(to, `,"tool":`, a.Tool.Tool)
}
