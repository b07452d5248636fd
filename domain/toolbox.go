package domain

import "slices"

// ToolboxName names a toolbox of the configuration. Any non-empty string
// without "__" is legal; case counts.
type ToolboxName string

// Toolbox is a named group of servers, as configured.
type Toolbox struct {
	Name ToolboxName
	// Description is the configured text, "" when there is none.
	Description string
	// Servers keep the order of the configuration.
	Servers []Server
	// Disabled are the names of servers that the configuration leaves out.
	Disabled []ServerName
	// Problems are those of servers that the toolbox would have if their configuration
	// could be used.
	Problems []ConfigurationProblem
}

// ConfigurationProblem is a mistake in the configuration. What it is about does not
// exist: a server, its toolbox, all toolboxes, or those of a file that is not trusted.
type ConfigurationProblem struct {
	// All is set when the problem leaves no toolbox.
	All bool
	// Untrusted is set when a whole file is not used, since the user does not trust it. Text is
	// then a sentence of its own, and other toolboxes may exist.
	Untrusted bool
	// Toolbox is the toolbox that it is about, unless it is about all.
	Toolbox ToolboxName
	// IsServer is set when it is about one server of the toolbox, Server.
	IsServer bool
	Server   ServerName
	// Text says where the mistake is and what to write there. It holds no value of the
	// configuration.
	Text string
}

// ConfigurationRead is what came of reading the configuration again.
type ConfigurationRead struct {
	// Text says it in a sentence without an end. It holds no value of the configuration.
	Text string
	// Failed is set when the configuration was not taken, Withheld when something in it
	// takes effect at the next start.
	Failed, Withheld bool
	// ToolsChanged is set when the host is shown another list of tools.
	ToolsChanged bool
}

// Equal reports whether two toolboxes are configured alike, problems apart.
func (t Toolbox) Equal(other Toolbox) bool {
	return t.Name == other.Name && t.Description == other.Description &&
		slices.EqualFunc(t.Servers, other.Servers, func(a, b Server) bool { return a.Start == b.Start && a.Equal(b) })
}

// Server returns the toolbox's server of that name.
func (t Toolbox) Server(name ServerName) (Server, bool) {
	for _, server := range t.Servers {
		if server.ID.Server == name {
			return server, true
		}
	}
	return Server{}, false
}

// IsLazy reports whether a server of the toolbox is started lazily.
func (t Toolbox) IsLazy() bool {
	return slices.ContainsFunc(t.Servers, func(s Server) bool { return s.Start == StartLazily })
}

// ServerNotFound returns the failure of a call that names a server the toolbox does not
// have.
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
