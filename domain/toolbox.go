package domain

import (
	"iter"
	"slices"
	"time"
)

// ToolboxName names a toolbox of the configuration. Any non-empty string without "__" is legal. Names
// are case-sensitive.
type ToolboxName string

// Toolbox is a named group of servers, as configured.
type Toolbox struct {
	Name ToolboxName
	// Description is the configured text, else words of its plugin, "" for none. IsDescribedByOthers says that it is the latter.
	Description         string
	IsDescribedByOthers bool
	// File is the path of the file that the configuration includes for the toolbox, "" for its own.
	File string
	// IsOfProject is set if that file is the one of a project, whose toolboxes join those of the user.
	IsOfProject bool
	// Servers are in the order of the configuration.
	Servers []Server
	// Disabled are the names of the servers that the configuration disables.
	Disabled []ServerName
	// Skills are those of its plugin, none without one.
	Skills []PluginSkill
	// Problems are the mistakes because of which servers of the toolbox do not exist.
	Problems []ConfigurationProblem
}

// PluginSkill is a skill in the folder of a plugin, which others wrote.
type PluginSkill struct {
	Name string
	// Folder is the absolute path of its folder.
	Folder string
	// Problem says how it breaks the format, so that it cannot be used; "" if it does not.
	Problem string
}

// ConfigurationProblem is a mistake in the configuration, because of which a server, a toolbox, all
// toolboxes, or those of an untrusted file do not exist.
type ConfigurationProblem struct {
	// All is set when there is no toolbox because of the problem.
	All bool
	// Untrusted is set when a whole file is ignored, since the user does not trust it. Text is then
	// a complete sentence, and other toolboxes can exist.
	Untrusted bool
	// Toolbox is the affected toolbox. It is empty if All is set, and for a file whose toolboxes are not known.
	Toolbox ToolboxName
	// IsServer is set when only Server, in that toolbox, is affected.
	IsServer bool
	Server   ServerName
	// Text says where the mistake is and what to write there. It contains no value of the
	// configuration.
	Text string
}

// MayHide reports whether a toolbox may be missing because of the problem.
func (p ConfigurationProblem) MayHide(name ToolboxName) bool {
	return p.Toolbox == "" || p.Toolbox == name
}

// ConfigurationRead is the outcome of reloading the configuration.
type ConfigurationRead struct {
	// Text is a sentence without a full stop. It contains no value of the configuration.
	Text string
	// Failed is set when the configuration was rejected, Withheld when a part of it takes effect at
	// the next start.
	Failed, Withheld bool
	// ToolsChanged is set when the list of tools for the host changed.
	ToolsChanged bool
}

// Equal reports whether two toolboxes are configured alike, without regard to problems.
func (t Toolbox) Equal(other Toolbox) bool {
	return t.Name == other.Name && t.Description == other.Description &&
		slices.EqualFunc(t.Servers, other.Servers, func(a, b Server) bool {
			return a.Start == b.Start && a.Results == b.Results && a.Limits.Result == b.Limits.Result && a.Equal(b)
		})
}

// Server returns the toolbox's server with that name.
func (t Toolbox) Server(name ServerName) (Server, bool) {
	if found := t.Find(name); found != nil {
		return *found, true
	}
	return Server{}, false
}

// Find returns the toolbox's server with that name, nil if there is none. It points into Servers,
// since every call needs it and a server is large; callers do not change it.
func (t Toolbox) Find(name ServerName) *Server {
	for i := range t.Servers {
		if t.Servers[i].ID.Server == name {
			return &t.Servers[i]
		}
	}
	return nil
}

// IsLazy reports whether a server of the toolbox is started lazily.
func (t Toolbox) IsLazy() bool {
	return slices.ContainsFunc(t.Servers, func(s Server) bool { return s.Start.IsLazy() })
}

// ServerNotFound returns the failure of a call to a server that is not in the toolbox.
func (t Toolbox) ServerNotFound(name ServerName) *ServerNotFoundError {
	notFound := &ServerNotFoundError{ID: ServerID{Toolbox: t.Name, Server: name}, Available: t.ServerNames()}
	for _, problem := range t.Problems {
		if problem.IsServer && problem.Server == name {
			notFound.Problems = append(notFound.Problems, problem)
		}
	}
	return notFound
}

// ServerNames returns the names of the toolbox's servers in order.
func (t Toolbox) ServerNames() []string {
	names := make([]string, len(t.Servers))
	for i, server := range t.Servers {
		names[i] = string(server.ID.Server)
	}
	return names
}

// Texts returns names of one kind as texts.
func Texts[Name ~string](names []Name) []string {
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i] = string(name)
	}
	return texts
}

// NamesOf returns the names of toolboxes, in their order.
func NamesOf(toolboxes []Toolbox) []string {
	names := make([]string, len(toolboxes))
	for i, toolbox := range toolboxes {
		names[i] = string(toolbox.Name)
	}
	return names
}

// ServersOf returns the servers of toolboxes, in their order.
func ServersOf(toolboxes []Toolbox) iter.Seq[Server] {
	return func(yield func(Server) bool) {
		for _, toolbox := range toolboxes {
			for _, server := range toolbox.Servers {
				if !yield(server) {
					return
				}
			}
		}
	}
}

// LongestShutdown returns the longest Shutdown limit of the servers in the toolboxes, and at least the
// default.
func LongestShutdown(toolboxes []Toolbox) time.Duration {
	longest := DefaultLimits().Shutdown
	for server := range ServersOf(toolboxes) {
		longest = max(longest, server.Limits.Shutdown)
	}
	return longest
}
