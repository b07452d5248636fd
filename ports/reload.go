package ports

import "mcp-workbench/domain"

// Listing is shown to every host before it opens a toolbox. Safe for
// concurrent use.
type Listing interface {
	// Refresh rebuilds the listing from the configuration in force, and reports
	// whether hosts see another list of tools.
	Refresh() (changed bool)
}

// ConfigurationWatcher is a host that is told of reloads of the configuration and changes
// of the lock. Safe for concurrent use.
type ConfigurationWatcher interface {
	// ConfigurationRead is called after a new configuration is in force or was refused, and
	// after the lock changed. It may wait for a host that reads slowly.
	ConfigurationRead(read domain.ConfigurationRead)
}
