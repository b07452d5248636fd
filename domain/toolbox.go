package domain

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
	// Problems are those of servers that the toolbox would have if their configuration
	// could be used.
	Problems []ConfigurationProblem
}

// ConfigurationProblem is a mistake in the configuration. What it is about does not
// exist: a server, its toolbox, or all toolboxes.
type ConfigurationProblem struct {
	// All is set when the problem leaves no toolbox.
	All bool
	// Toolbox is the toolbox that it is about, unless it is about all.
	Toolbox ToolboxName
	// IsServer is set when it is about one server of the toolbox, Server.
	IsServer bool
	Server   ServerName
	// Text says where the mistake is and what to write there. It holds no value of the
	// configuration.
	Text string
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
