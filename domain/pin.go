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

// PinScope says which members of a server's definitions are pinned, and whether its
// instructions are.
type PinScope string

// The scopes that a configuration can name.
const (
	// PinDefinition pins every member, and the instructions.
	PinDefinition PinScope = "definition"
	// PinSchema pins every member but the description, which may hold facts of a machine, as
	// instructions may.
	PinSchema PinScope = "schema"
)

// The scopes of what was locked by versions that knew only some members.
const (
	// PinOlder is PinDefinition of such a lock: name, description, input schema and annotations.
	PinOlder PinScope = "definition, older"
	// PinOlderSchema is PinSchema of such a lock: all of that but the description.
	PinOlderSchema PinScope = "schema, older"
)

// Pins reports whether a member of a definition is pinned.
func (s PinScope) Pins(member string) bool {
	switch s {
	case PinSchema:
		return member != "description"
	case PinOlder, PinOlderSchema:
		switch member {
		case "name", "inputSchema", "annotations":
			return true
		case "description":
			return s == PinOlder
		}
		return false
	}
	return true
}

// PinsAll reports whether every member is pinned, and the instructions are.
func (s PinScope) PinsAll() bool { return s == PinDefinition || s == "" }

// Pin is what a model reads about one tool, in a form that changes only when that
// does.
type Pin struct {
	// Digest tells definitions apart: the SHA-256 of Definition, in hexadecimal.
	Digest string
	// Definition is the canonical JSON of the members that count: those of the scope
	// that the server sent.
	Definition json.RawMessage
}

// LockedTool is one tool as a lock has it.
type LockedTool struct {
	// Name is the exact name.
	Name string
	// Pins are one or, when the server shows hosts of different capabilities different
	// definitions, two: that for hosts with all capabilities, then that for hosts with
	// none.
	Pins []Pin
	// Optional says that the server shows the tool to some hosts only, so that it is
	// not missed when it is not there.
	Optional bool
}

// Covers reports whether each definition of the live tool is one of the locked ones.
func (t LockedTool) Covers(live LockedTool) bool {
	return !slices.ContainsFunc(live.Pins, func(pin Pin) bool { return !t.Has(pin) })
}

// Has reports whether the definition is one of the tool's.
func (t LockedTool) Has(pin Pin) bool {
	return slices.ContainsFunc(t.Pins, func(p Pin) bool { return p.Digest == pin.Digest })
}

// Equal reports whether a lock has the same of both tools.
func (t LockedTool) Equal(other LockedTool) bool {
	return t.Optional == other.Optional && t.Covers(other) && other.Covers(t)
}

// Lock is the tools that somebody looked at and approved. It never changes.
type Lock struct {
	// Servers hold each server once.
	Servers []LockedServer
	// Packages hold each server whose package is pinned once.
	Packages []PinnedPackage
}

// LockedServer is the approved tools of one server.
type LockedServer struct {
	ID ServerID
	// Tools hold each tool once, sorted by name.
	Tools []LockedTool
	// Instructions are the texts that the server may send at its handshake: one, "" for none,
	// or two, when hosts with all capabilities and hosts with none get different ones. Nil for
	// a server that was locked before version 4, of which the lock holds less.
	Instructions []string
}

// Scope returns what the lock holds of the server, by what the configuration wants pinned.
func (s LockedServer) Scope(configured PinScope) PinScope {
	switch {
	case s.Instructions != nil:
		return configured
	case configured == PinSchema:
		return PinOlderSchema
	}
	return PinOlder
}

// HasInstructions reports whether the text, "" for none, is among the approved ones.
func (s LockedServer) HasInstructions(text string) bool { return slices.Contains(s.Instructions, text) }

// Server returns what is locked of a server, and whether anything is.
func (l Lock) Server(id ServerID) (LockedServer, bool) {
	i := slices.IndexFunc(l.Servers, func(s LockedServer) bool { return s.ID == id })
	if i < 0 {
		return LockedServer{}, false
	}
	return l.Servers[i], true
}

// SortTools sorts tools by their names, as a lock has them. So the order in which a
// server lists its tools does not change the lock.
func SortTools(tools []LockedTool) {
	slices.SortFunc(tools, func(a, b LockedTool) int { return cmp.Compare(a.Name, b.Name) })
}

// MergeLooks returns the tools of a server from what it lists to hosts with all
// capabilities and to hosts with none. All lists are sorted by name.
func MergeLooks(full, bare []LockedTool) []LockedTool {
	var merged []LockedTool
	eachByName(full, bare, func(full, bare *LockedTool) {
		tool := *cmp.Or(full, bare)
		switch {
		case full == nil || bare == nil:
			tool.Optional = true
		case !full.Equal(*bare):
			tool.Pins = slices.Concat(full.Pins, bare.Pins)
		}
		merged = append(merged, tool)
	})
	return merged
}

// Difference is one tool that is not as it was locked.
type Difference struct {
	Tool ToolIdentifier
	// Locked is the tool in the lock, nil when it was added.
	Locked *LockedTool
	// Live is the tool as its server lists it, nil when it was removed.
	Live *LockedTool
}

// Compare returns every tool of which the lock would have something else if it was
// written again, sorted by name. Both lists are sorted by name.
func (s LockedServer) Compare(live []LockedTool) []Difference {
	return s.differences(live, func(locked, live *LockedTool) bool {
		return locked != nil && live != nil && locked.Equal(*live)
	})
}

// Violations returns every tool that one host is not shown as it was locked, sorted
// by name. The list is what the server shows to that host, sorted by name.
func (s LockedServer) Violations(live []LockedTool) []Difference {
	return s.differences(live, func(locked, live *LockedTool) bool {
		if live == nil {
			return locked.Optional
		}
		return locked != nil && locked.Covers(*live)
	})
}

// differences returns the tools that do not fit the lock, sorted by name.
func (s LockedServer) differences(live []LockedTool, fits func(locked, live *LockedTool) bool) []Difference {
	var differences []Difference
	eachByName(s.Tools, live, func(locked, live *LockedTool) {
		if !fits(locked, live) {
			tool := ToolIdentifier{Toolbox: s.ID.Toolbox, Server: s.ID.Server, Tool: cmp.Or(live, locked).Name}
			differences = append(differences, Difference{Tool: tool, Locked: locked, Live: live})
		}
	})
	return differences
}

// eachByName visits each name of two lists that are sorted by name, with the tools of
// that name: nil where a list has none.
func eachByName(a, b []LockedTool, visit func(inA, inB *LockedTool)) {
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].Name < b[0].Name:
			visit(&a[0], nil)
			a = a[1:]
		case len(a) == 0 || b[0].Name < a[0].Name:
			visit(nil, &b[0])
			b = b[1:]
		default:
			visit(&a[0], &b[0])
			a, b = a[1:], b[1:]
		}
	}
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

// ChangedMembers names the members that changes are in, each once, in their order. Members
// that the protocol does not know are named by no word of the server.
func ChangedMembers(changes []DefinitionChange) []string {
	var members []string
	for _, change := range changes {
		member := MemberName(change.Member)
		if !slices.Contains(members, member) {
			members = append(members, member)
		}
	}
	return members
}

// MemberName returns the name of a member of a definition as a message may have it.
func MemberName(member string) string {
	if slices.Contains(knownMembers, member) {
		return member
	}
	return otherMembers
}

// knownMembers are the members of definitions that the protocol knows.
var knownMembers = []string{
	"name", "title", "description", "inputSchema", "outputSchema", "annotations", "icons", "execution", "_meta", "arguments",
}

const otherMembers = "other members"
