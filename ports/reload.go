package ports

import "mcp-workbench/domain"

// Listing is what every host is shown of the toolboxes before it opens one. Safe for
// concurrent use.
type Listing interface {
	// Refresh makes the listing again, by the configuration that is in force, and reports
	// whether hosts see another list of tools.
	Refresh() (changed bool)
}

// ConfigurationWatcher is a host that is told when the configuration was read again. Safe
// for concurrent use.
type ConfigurationWatcher interface {
	// ConfigurationRead is called each time, once what was read is in force. It may wait
	// for a host that reads slowly.
	ConfigurationRead(read domain.ConfigurationRead)
}
