package domain

import (
	"cmp"
	"encoding/json"
	"slices"
)

// PinPolicy says how to treat tools that are not as they were locked.
type PinPolicy string

// The policies.
const (
	// PinDefault warns when there is a lock, and is off when there is none.
	PinDefault PinPolicy = ""
	// PinOff ignores locks.
	PinOff PinPolicy = "off"
	// PinWarn shows such tools, with a warning.
	PinWarn PinPolicy = "warn"
	// PinBlock neither shows such tools nor allows calls of them.
	PinBlock PinPolicy = "block"
)

// Strictness is higher for the stricter policy. The default warns only when there is a lock.
func (p PinPolicy) Strictness() int {
	return slices.Index([]PinPolicy{PinOff, PinDefault, PinWarn, PinBlock}, p)
}

// LockName is the name of the file of a lock, beside the configuration.
const LockName = "workbench.lock.json"

// PinScope is the set of pinned members of a server's definitions, with or without its
// instructions.
type PinScope string

// The scopes that a configuration can name.
const (
	// PinDefinition pins every member, and the instructions.
	PinDefinition PinScope = "definition"
	// PinSchema pins every member except the description. Descriptions and instructions can
	// contain facts about a machine.
	PinSchema PinScope = "schema"
	// PinNoDefaults pins everything except the defaults in schemas, which some servers make when they start.
	PinNoDefaults PinScope = "no-defaults"
)

// Pins reports whether a member of a definition is pinned.
func (s PinScope) Pins(member string) bool { return s != PinSchema || member != "description" }

// PinsAll reports whether every member and the instructions are pinned.
func (s PinScope) PinsAll() bool { return s == PinDefinition || s == "" }

// PinsInstructions reports whether the instructions are pinned.
func (s PinScope) PinsInstructions() bool { return s.PinsAll() || s == PinNoDefaults }

// Pin is the definition of a tool in a form that changes only with its meaning.
type Pin struct {
	// Digest identifies the definition: the SHA-256 of Definition, in hexadecimal.
	Digest string
	// Definition is the canonical JSON of the pinned members that the server sent.
	Definition json.RawMessage
}

// LockedTool is a tool in a lock.
type LockedTool struct {
	// Name is the exact name.
	Name string
	// Pins has one element, or two if the definition depends on the host's capabilities: one for
	// hosts with all of them, then one for hosts without any.
	Pins []Pin
	// Optional is set when the server shows the tool to some hosts only, so that it can be
	// missing.
	Optional bool
}

// Covers reports whether each definition of the live tool is one of the locked ones.
func (t LockedTool) Covers(live LockedTool) bool {
	return !slices.ContainsFunc(live.Pins, func(pin Pin) bool { return !t.Has(pin) })
}

// Has reports whether the definition is one of the tool's locked ones.
func (t LockedTool) Has(pin Pin) bool {
	return slices.ContainsFunc(t.Pins, func(p Pin) bool { return p.Digest == pin.Digest })
}

// Nearest returns the tool's locked definition with the fewest changes to a live one, or an empty pin
// if there is none.
func (t LockedTool) Nearest(live Pin, changes func(before, after Pin) []DefinitionChange) Pin {
	if len(t.Pins) == 0 {
		return Pin{}
	}
	return slices.MinFunc(t.Pins, func(a, b Pin) int { return cmp.Compare(len(changes(a, live)), len(changes(b, live))) })
}

// Equal reports whether both tools are locked alike.
func (t LockedTool) Equal(other LockedTool) bool {
	return t.Optional == other.Optional && t.Covers(other) && other.Covers(t)
}

// Lock is a set of approved tools. It never changes.
type Lock struct {
	// Servers has each server once.
	Servers []LockedServer
	// Packages has each server with a pinned package once.
	Packages []PinnedPackage
	// Without are toolboxes to which the lock does not apply, since the files that describe them have none.
	Without []ToolboxName
}

// LockedServer are the approved tools of a server.
type LockedServer struct {
	ID ServerID
	// Tools has each tool once, sorted by name.
	Tools []LockedTool
	// Instructions are the approved texts in the server's handshake: one, "" for none, or two if
	// hosts with all capabilities and hosts without any get different ones.
	Instructions []string
}

// HasInstructions reports whether the instructions, "" for none, are approved.
func (s LockedServer) HasInstructions(text string) bool { return slices.Contains(s.Instructions, text) }

// Server returns the locked tools of a server, and reports whether it is in the lock.
func (l Lock) Server(id ServerID) (LockedServer, bool) {
	i := slices.IndexFunc(l.Servers, func(s LockedServer) bool { return s.ID == id })
	if i < 0 {
		return LockedServer{}, false
	}
	return l.Servers[i], true
}

// SortTools sorts tools by name, so that the lock does not depend on the order in which a server
// lists them.
func SortTools(tools []LockedTool) {
	slices.SortFunc(tools, func(a, b LockedTool) int { return cmp.Compare(a.Name, b.Name) })
}

// MergeLooks returns the tools of a server, given those that it lists for hosts with all
// capabilities and for hosts without any. All lists are sorted by name.
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

// Difference is a tool that is not as it was locked.
type Difference struct {
	Tool ToolIdentifier
	// Locked is the tool in the lock, nil when it was added.
	Locked *LockedTool
	// Live is the tool as its server lists it, nil when it was removed.
	Live *LockedTool
}

// Compare returns every tool that would be different in a new lock, sorted by name. Live must be
// sorted by name.
func (s LockedServer) Compare(live []LockedTool) []Difference {
	return s.differences(live, func(locked, live *LockedTool) bool {
		return locked != nil && live != nil && locked.Equal(*live)
	})
}

// Violations returns every tool that is not shown to one host as it was locked, sorted by name. Live
// are the tools that the server shows to that host, sorted by name.
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

// eachByName visits each name in two lists that are sorted by name, with its tool in each list, nil
// for none.
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

// DefinitionChange is one difference between two definitions.
type DefinitionChange struct {
	// Member is the member of the definition that contains the difference: "inputSchema".
	Member string
	// Path is the path of the value: "inputSchema.properties.path.type".
	Path string
	// Before and After are the values as JSON, nil for none.
	Before, After json.RawMessage
}

// ChangedMembers returns the names of the members with changes, each once, in order. Members that
// are not in the protocol are "other members", so that no text of the server is shown.
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

// MemberName returns the name of a member of a definition for messages.
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
