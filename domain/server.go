package domain

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// ServerName names a server within its toolbox. Any non-empty string without
// "__" is legal; case counts.
type ServerName string

// ServerID identifies a server. The same name in two toolboxes means two servers, each with its own
// connection, process and state.
type ServerID struct {
	Toolbox ToolboxName
	Server  ServerName
}

// Path returns the name of the server for users: toolbox/server.
func (id ServerID) Path() string { return string(id.Toolbox) + "/" + string(id.Server) }

// Compare orders servers by toolbox, then by name.
func (id ServerID) Compare(other ServerID) int {
	return cmp.Or(cmp.Compare(id.Toolbox, other.Toolbox), cmp.Compare(id.Server, other.Server))
}

// Server is a downstream MCP server, as configured.
type Server struct {
	ID ServerID
	// Transport is the kind of transport of the server, such as "stdio".
	Transport string
	// Settings is a JSON object for the transport, with variables expanded. It contains secrets:
	// only the transport reads it.
	Settings json.RawMessage
	// Configured is Settings as written in the file, before expansion. Messages show settings from
	// here.
	Configured json.RawMessage
	// Traits are what packages other than the transport know about Settings. If the package of the
	// server is pinned, their Program starts the pinned version. Shown are the traits of Configured.
	Traits, Shown Traits
	// Secrets are the values that no message may show.
	Secrets Secrets
	// SecretCommands give the placeholders in Settings and Traits their values when the server starts.
	SecretCommands []SecretCommand
	// Tools decides which of the server's tools exist for the host.
	Tools ToolFilter
	// Adjustments change how tools are shown and called; nil for none.
	Adjustments ToolAdjustments
	// Pinned says what a lock contains of the server's tools. "" means PinDefinition.
	Pinned PinScope
	// Start says when the server is started. "" means StartOnOpen.
	Start StartMode
	// Shared is set when all hosts of the process share one session with the server.
	Shared bool
	// Results says how much of a long result a model is shown. "" means ResultsWhole.
	Results ResultsMode
	// Approvals say which calls need a yes and which tools only read.
	Approvals Approvals
	// Limits bound the server; every field is set.
	Limits Limits
	// AtNextStart keeps the server from starting before the next start of the workbench, since it was
	// added while the workbench was running.
	AtNextStart bool
	// From is where the settings come from, the zero value for a server that the user described. It changes nothing
	// about the server.
	From Published
	// IsOfPlugin says that it is a server of the plugin of its toolbox.
	IsOfPlugin bool
	// Data is the absolute path of a private folder that is made before the server is started, "" for none.
	Data string
	// Files are the files of a plugin whose bytes the user saw, with their SHA-256 in hexadecimal, "none" for a missing one. The
	// server is started only while they are as they were.
	Files map[string]string
	// Unset is the first variable without a value, which keeps the server from starting; nil if there is
	// none. AlsoUnset are the others.
	Unset     *UnsetVariableError
	AlsoUnset []UnsetVariableError
}

// UnsetVariables returns the variables without a value.
func (s Server) UnsetVariables() []UnsetVariableError {
	if s.Unset == nil {
		return nil
	}
	return append([]UnsetVariableError{*s.Unset}, s.AlsoUnset...)
}

// UnsetReason says which variables without a value keep the server from starting.
func (s Server) UnsetReason() error {
	if len(s.AlsoUnset) == 0 {
		return s.Unset
	}
	const most = 10
	others := FirstNames(s.AlsoUnset, most, UnsetVariableError.Problem)
	return ReasonError(fmt.Sprintf("%v; %s", s.Unset, others))
}

// Published is a version of a server in a registry of MCP servers. Registry is the name of the server there.
type Published struct {
	Registry string `json:"registry"`
	Version  string `json:"version"`
}

// Equal reports whether two servers are configured alike, except for when they are started and how
// much of their results is shown. It compares expanded settings, secrets included, however the file
// writes them.
func (s Server) Equal(other Server) bool {
	s.Limits.Result = other.Limits.Result
	return s.ID == other.ID && s.RunsAs(other) &&
		s.Tools.Equal(other.Tools) && s.Adjustments.Equal(other.Adjustments) && s.Pinned == other.Pinned && s.Approvals.Equal(other.Approvals) && s.Limits == other.Limits && s.Shared == other.Shared && s.AtNextStart == other.AtNextStart &&
		maps.Equal(s.Files, other.Files) && slices.Equal(s.UnsetVariables(), other.UnsetVariables())
}

// As returns the server under another name, with approvals that match the same tools.
func (s Server) As(id ServerID) Server {
	s.Approvals.Confirm = s.Approvals.Confirm.forServer(s.ID, true)
	s.Approvals.ReadOnly = s.Approvals.ReadOnly.forServer(s.ID, false)
	s.ID = id
	return s
}

// Redact returns text without the secrets of the server.
func (s Server) Redact(text string) string { return s.Secrets.Redact(text) }

// UnsetVariableError is an environment variable in a server's settings that is not set and has no default,
// or is empty where a value is required.
type UnsetVariableError struct {
	Variable string
	// KeyPath is where the configuration uses it, for example
	// "toolboxes.dev.mcpServers.db.env.TOKEN".
	KeyPath string
	// IsEmpty is set when the variable is empty where a value is required.
	IsEmpty bool
	// Unread says why the file that the configuration names for the value cannot be used, "" if it
	// names none.
	Unread string
}

// Problem returns what is wrong with the variable, as a sentence without its end.
func (v UnsetVariableError) Problem() string {
	if v.Unread != "" {
		return fmt.Sprintf("the file of secret '%s' cannot be used (%s)", v.Variable, v.Unread)
	}
	if what := EditorVariable(v.Variable); what != "" && !v.IsEmpty {
		return fmt.Sprintf("'%s' %s", v.Variable, what)
	}
	return fmt.Sprintf("environment variable '%s' is %s", v.Variable, v.State())
}

// State returns the problem of the variable, to continue a sentence after "is".
func (v UnsetVariableError) State() string {
	if v.Unread != "" {
		return "in no file that can be used: " + v.Unread
	}
	if v.IsEmpty {
		return "empty"
	}
	return "not set"
}
