package domain

import (
	"encoding/json"
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

// ToolCall is a call of one tool, as its server gets it.
type ToolCall struct {
	// Name is the tool's exact name.
	Name string
	// Arguments is a JSON object, in the host's bytes.
	Arguments json.RawMessage
	// Limit is how long the server may take, 0 for as long as it likes.
	Limit time.Duration
}

// ToolResult is what a server answered to a call, in the server's bytes.
// Exactly one of its members is set.
type ToolResult struct {
	// Result is the value of the response's "result". A tool that ran and failed
	// is a result.
	Result json.RawMessage
	// Error is the value of the response's "error".
	Error json.RawMessage
}

// Reply takes the outcome of a call: the result, or why there is none.
type Reply func(ToolResult, error)
