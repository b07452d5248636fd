package domain

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"
)

// ToolIdentifier names one tool of one server in one toolbox.
type ToolIdentifier struct {
	Toolbox ToolboxName
	Server  ServerName
	// Tool is the exact name, which the server chose freely.
	Tool string
}

// ServerID returns the server that the identifier names.
func (i ToolIdentifier) ServerID() ServerID {
	return ServerID{Toolbox: i.Toolbox, Server: i.Server}
}

// Compare orders identifiers by toolbox, server and tool, as cmp.Compare does.
func (i ToolIdentifier) Compare(other ToolIdentifier) int {
	return cmp.Or(i.ServerID().Compare(other.ServerID()), cmp.Compare(i.Tool, other.Tool))
}

// ToolInfo is a tool as its server lists it.
type ToolInfo struct {
	// Name is the exact name, as the server knows the tool.
	Name string
	// Shown is Name for the host: without characters that must not be shown
	// (tests/acceptance/CONTRACT.md section 4).
	Shown string
	// Definition is the whole JSON object, in the server's bytes unless Adjusted is set.
	Definition json.RawMessage
	// Adjusted is nil unless the configuration adjusts the tool.
	Adjusted *AdjustedTool
}

// Own returns the definition in the server's bytes.
func (t ToolInfo) Own() json.RawMessage {
	if t.Adjusted != nil {
		return t.Adjusted.Own
	}
	return t.Definition
}

// Unadjusted returns the tool as its server lists it.
func (t ToolInfo) Unadjusted() ToolInfo {
	return ToolInfo{Name: t.Name, Shown: t.Shown, Definition: t.Own()}
}

// ToolList is the tools of a server.
type ToolList struct {
	// Tools are in the order of the server, each name once.
	Tools []ToolInfo
	// Instructions is the text in the server's handshake, "" for none, and Title its title.
	Instructions, Title string
	// Warnings say what was left out of the list, and why.
	Warnings []Warning
	// Blocked are tools of the server that must not be used.
	Blocked []BlockedTool
	// Unlocked are the tools of the server that are not as they were locked, by their exact names.
	// It is nil if they were not compared with a lock.
	Unlocked map[string]bool
	// FreshFor is how long the list is valid after it was read, if Expires is set. Otherwise it is valid
	// until the server reports a change.
	FreshFor time.Duration
	Expires  bool
}

// BlockedTool is a tool that must not be used.
type BlockedTool struct {
	// Name is the exact name, Shown the name used in calls.
	Name, Shown string
	// Why and Detail are the Kind and the Detail of the warning about it.
	Why    WarningKind
	Detail string
}

// Blocks returns the blocked tool with that exact or shown name, and reports whether there is one.
func (l ToolList) Blocks(name string) (BlockedTool, bool) {
	i := slices.IndexFunc(l.Blocked, func(t BlockedTool) bool { return t.Name == name })
	if i < 0 {
		i = slices.IndexFunc(l.Blocked, func(t BlockedTool) bool { return t.Shown == name })
	}
	if i < 0 {
		return BlockedTool{}, false
	}
	return l.Blocked[i], true
}

// Index returns the tools by their exact names, and by their shown names unless these are exact names
// of other tools.
func (l ToolList) Index() map[string]ToolInfo {
	index := make(map[string]ToolInfo, len(l.Tools))
	for _, tool := range l.Tools {
		index[tool.Name] = tool
	}
	for _, tool := range l.Tools {
		if _, taken := index[tool.Shown]; !taken {
			index[tool.Shown] = tool
		}
	}
	return index
}

// Names returns the shown names of the tools, in order.
func (l ToolList) Names() []string {
	names := make([]string, len(l.Tools))
	for i, tool := range l.Tools {
		names[i] = tool.Shown
	}
	return names
}
