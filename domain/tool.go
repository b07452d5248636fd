package domain

import (
	"encoding/json"
	"slices"
	"time"
)

// ToolIdentifier names one tool of one server in one toolbox.
type ToolIdentifier struct {
	Toolbox ToolboxName
	Server  ServerName
	// Tool is the name that the server gave the tool, whatever it holds.
	Tool string
}

// ServerID returns the server that the identifier names.
func (i ToolIdentifier) ServerID() ServerID {
	return ServerID{Toolbox: i.Toolbox, Server: i.Server}
}

// ToolInfo is a tool as its server lists it.
type ToolInfo struct {
	// Name is the exact name, as the server knows the tool.
	Name string
	// Shown is Name as the host sees it: the same but for characters that are
	// not fit to be shown (tests/acceptance/CONTRACT.md section 4).
	Shown string
	// Definition is the whole JSON object, in the server's bytes.
	Definition json.RawMessage
}

// ToolList is what a server offers.
type ToolList struct {
	// Tools keep the order of the server and hold each name once.
	Tools []ToolInfo
	// Instructions is the text that the server sent at its handshake, "" when it
	// sent none.
	Instructions string
	// Warnings say what the list had to leave out and why.
	Warnings []Warning
	// Blocked are tools that the server has and that must not be used.
	Blocked []BlockedTool
	// Unlocked are the tools of the server that are not as they were locked, by their exact
	// names. It is nil where no lock was looked at.
	Unlocked map[string]bool
	// FreshFor is for how long after the listing the server lets the list be used, if
	// Expires is set. Otherwise it is good until the server says that it changed.
	FreshFor time.Duration
	Expires  bool
}

// BlockedTool is a tool that must not be used.
type BlockedTool struct {
	// Name is the exact name, Shown the one that it is called by.
	Name, Shown string
	// Why is the kind of the warning that says so, Detail its detail.
	Why    WarningKind
	Detail string
}

// Blocks returns the blocked tool that a name means, exact or as it is shown, and
// whether there is one.
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

// Index returns the tools by every name that reaches them: each by its exact
// name, and by the one it is shown under unless another tool has that.
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

// Names returns the names of the tools as they are shown, in order.
func (l ToolList) Names() []string {
	names := make([]string, len(l.Tools))
	for i, tool := range l.Tools {
		names[i] = tool.Shown
	}
	return names
}
