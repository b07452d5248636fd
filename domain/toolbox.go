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

// ServerNames returns the names of the toolbox's servers in order.
func (t Toolbox) ServerNames() []string {
	names := make([]string, len(t.Servers))
	for i, server := range t.Servers {
		names[i] = string(server.ID.Server)
	}
	return names
}
