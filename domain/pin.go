package domain

import (
	"cmp"
	"encoding/json"
	"slices"
)

// PinPolicy says what becomes of tools that are not as they were locked.
type PinPolicy string

// The policies.
const (
	// PinDefault warns when there is a lock, and is off when there is none.
	PinDefault PinPolicy = ""
	// PinOff looks at no lock.
	PinOff PinPolicy = "off"
	// PinWarn shows such tools, with a warning.
	PinWarn PinPolicy = "warn"
	// PinBlock neither shows such tools nor lets them be used.
	PinBlock PinPolicy = "block"
)

// LockName is the name of the file that the lock is in, beside the configuration.
const LockName = "workbench.lock.json"

// Pin is what a model reads about one tool, in a form that changes only when that
// does.
type Pin struct {
	// Tool is the exact name.
	Tool string
	// Digest tells definitions apart: the SHA-256 of Definition, in hexadecimal.
	Digest string
	// Definition is the canonical JSON of the members that count: name, description,
	// inputSchema and annotations, those of them that the server sent.
	Definition json.RawMessage
}

// Lock is the tools that somebody looked at and approved. It never changes.
type Lock struct {
	// Servers hold each server once.
	Servers []LockedServer
}

// LockedServer is the approved tools of one server.
type LockedServer struct {
	ID ServerID
	// Tools hold each tool once, sorted by name.
	Tools []Pin
}

// Server returns what is locked of a server, and whether anything is.
func (l Lock) Server(id ServerID) (LockedServer, bool) {
	i := slices.IndexFunc(l.Servers, func(s LockedServer) bool { return s.ID == id })
	if i < 0 {
		return LockedServer{}, false
	}
	return l.Servers[i], true
}

// SortPins sorts pins by the name of the tool, as a lock has them. So the order in which
// a server lists its tools does not change the lock.
func SortPins(pins []Pin) {
	slices.SortFunc(pins, func(a, b Pin) int { return cmp.Compare(a.Tool, b.Tool) })
}

// Difference is one tool that is not as it was locked.
type Difference struct {
	Tool ToolIdentifier
	// Locked is the pin in the lock, nil when the tool was added.
	Locked *Pin
	// Live is the pin of the tool as its server lists it, nil when it was removed.
	Live *Pin
}

// Compare returns every tool of the server that is not as it was locked, sorted by
// name. Both lists are sorted by name.
func (s LockedServer) Compare(live []Pin) []Difference {
	var differences []Difference
	note := func(locked, live *Pin) {
		name := cmp.Or(live, locked).Tool
		tool := ToolIdentifier{Toolbox: s.ID.Toolbox, Server: s.ID.Server, Tool: name}
		differences = append(differences, Difference{Tool: tool, Locked: locked, Live: live})
	}
	i, j := 0, 0
	for i < len(s.Tools) || j < len(live) {
		switch {
		case j == len(live) || i < len(s.Tools) && s.Tools[i].Tool < live[j].Tool:
			note(&s.Tools[i], nil)
			i++
		case i == len(s.Tools) || live[j].Tool < s.Tools[i].Tool:
			note(nil, &live[j])
			j++
		default:
			if s.Tools[i].Digest != live[j].Digest {
				note(&s.Tools[i], &live[j])
			}
			i, j = i+1, j+1
		}
	}
	return differences
}

// DefinitionChange is one place where two definitions differ.
type DefinitionChange struct {
	// Member is the member of the definition that the place is in: "inputSchema".
	Member string
	// Path leads to the place: "inputSchema.properties.path.type".
	Path string
	// Before and After are the values there, as JSON; nil when there is none.
	Before, After json.RawMessage
}

// ChangedMembers names the members that changes are in, each once, in their order.
func ChangedMembers(changes []DefinitionChange) []string {
	var members []string
	for _, change := range changes {
		if !slices.Contains(members, change.Member) {
			members = append(members, change.Member)
		}
	}
	return members
}
