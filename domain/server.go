package domain

import (
	"cmp"
	"encoding/json"
)

// ServerName names a server within its toolbox. Any non-empty string without
// "__" is legal; case counts.
type ServerName string

// ServerID identifies a server: the same name in two toolboxes is
// two servers, with a connection, a process and a state each.
type ServerID struct {
	Toolbox ToolboxName
	Server  ServerName
}

// Path returns the name of the server for people: toolbox/server.
func (id ServerID) Path() string { return string(id.Toolbox) + "/" + string(id.Server) }

// Compare orders servers by toolbox, then by name.
func (id ServerID) Compare(other ServerID) int {
	return cmp.Or(cmp.Compare(id.Toolbox, other.Toolbox), cmp.Compare(id.Server, other.Server))
}

// Server is a downstream MCP server, as configured.
type Server struct {
	ID ServerID
	// Transport is the kind of transport that reaches the server, for example
	// "stdio".
	Transport string
	// Settings is the JSON object that the transport understands, with variables
	// expanded. It holds secrets: only the transport reads it.
	Settings json.RawMessage
	// Configured is Settings as the file has it, before expansion. What a
	// message shows of the settings comes from here.
	Configured json.RawMessage
	// Traits are what Settings mean for others than the transport. A server whose package is
	// pinned has the program that starts the pinned version here. Shown are those of Configured.
	Traits, Shown Traits
	// Secrets are the values that no message may show.
	Secrets Secrets
	// HideLearned takes what no message may show and was not known before, such as tokens,
	// out of a text. Nil when there is nothing of the kind.
	HideLearned func(text string) string
	// Withhold is told of what the server itself says beside results, such as the end of its
	// standard error or why it refuses a request, and reports whether no message may show that.
	// Nil when every message may.
	Withhold func(words string) bool
	// Tools says which of the server's tools exist for the host.
	Tools ToolFilter
	// Pinned says what a lock holds of the server's tools. "" is PinDefinition.
	Pinned PinScope
	// Start says when the server is started. "" is StartOnOpen.
	Start StartMode
	// Shared says that all hosts of the process have one session with the server.
	Shared bool
	// Approvals say which calls need a yes and which tools only read.
	Approvals Approvals
	// Limits bound the server; every field is set.
	Limits Limits
	// AtNextStart keeps the server from being started before the next start of the program,
	// since it came while that runs.
	AtNextStart bool
	// Unset is the variable that keeps the server from being started, nil when
	// every variable has a value.
	Unset *UnsetVariable
}

// Equal reports whether two servers are configured alike, but for when they are started.
// Secrets are part of the settings, and how the file writes them makes no difference.
func (s Server) Equal(other Server) bool {
	return s.ID == other.ID && s.Transport == other.Transport && string(s.Settings) == string(other.Settings) &&
		s.Tools.Equal(other.Tools) && s.Pinned == other.Pinned && s.Approvals.Equal(other.Approvals) && s.Limits == other.Limits && s.Shared == other.Shared && s.AtNextStart == other.AtNextStart &&
		(s.Unset == nil) == (other.Unset == nil) && (s.Unset == nil || *s.Unset == *other.Unset)
}

// As returns the server under another name, with approvals that mean the same tools.
func (s Server) As(id ServerID) Server {
	s.Approvals.Confirm = s.Approvals.Confirm.forServer(s.ID, true)
	s.Approvals.ReadOnly = s.Approvals.ReadOnly.forServer(s.ID, false)
	s.ID = id
	return s
}

// Redact returns text without what no message about the server may show.
func (s Server) Redact(text string) string {
	text = s.Secrets.Redact(text)
	if s.HideLearned != nil {
		text = s.HideLearned(text)
	}
	return text
}

// Said returns what a message may show of the words of the server: all of them, or "".
func (s Server) Said(words string) string {
	if words == "" || s.Withhold != nil && s.Withhold(words) {
		return ""
	}
	return words
}

// UnsetVariable is an environment variable that a server's settings name, that
// is not set and has no default, or is empty where it must not be.
type UnsetVariable struct {
	Variable string
	// KeyPath is where the configuration uses it, for example
	// "toolboxes.dev.mcpServers.db.env.TOKEN".
	KeyPath string
	// IsEmpty says that the variable is set to nothing, where nothing will not do.
	IsEmpty bool
}

// State says what is wrong with the variable: it reads on after "is".
func (v UnsetVariable) State() string {
	if v.IsEmpty {
		return "empty"
	}
	return "not set"
}
