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
	// not fit to be shown (CONTRACT.md section 4).
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

// ToolCall is a call of one tool. What is raw in it is in the host's bytes.
type ToolCall struct {
	// Name is the tool's exact name.
	Name string
	// Arguments is a JSON object.
	Arguments json.RawMessage
	// More holds further members of the call's parameters, as they stand in an
	// object, without its braces; nil for none.
	More json.RawMessage
	// Meta holds the members of the call's _meta in the same way.
	Meta json.RawMessage
	// AsTask says that More asks the server to make a task of the call.
	AsTask bool
	// LogLevel is the least level of log messages that the caller wants during the
	// call, "" to leave the level as it is.
	LogLevel string
	// Progress takes what the server says of its progress, each before the reply
	// and in order; nil asks for none.
	Progress func(Progress)
	// Input supplies what a server has to know before it can give a result: it is
	// handed the result that says so ("input_required" of protocol version
	// 2026-07-28) and calls supply once, with the members of the parameters that the
	// call is continued with, or why there are none. Nil hands such a result to the
	// reply.
	Input func(wanted json.RawMessage, supply func(more json.RawMessage, err error))
	// Batch may hold the writing of the call until more calls are written; it is for
	// use until UseTool or CallTool returns. Nil writes at once.
	Batch *Batch
	// Limit is how long the server may be silent, 0 for as long as it likes; every
	// progress begins it anew, and so does a question of the server's once it is
	// answered.
	Limit time.Duration
	// Longest is how long the server may take in all, 0 for as long as it likes.
	Longest time.Duration
}

// Progress is the parameters of a progress notification, cut where the token
// stands: whoever passes them on puts a token of its own there. The bytes are
// valid until the function that takes them returns.
type Progress struct {
	Before, After json.RawMessage
	// Batch may hold what is written because of it until more was read; it is for
	// use until the function that takes it returns. Nil writes at once.
	Batch *Batch
}
