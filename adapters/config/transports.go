package config

import (
	"maps"
	"slices"

	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/ports"
)

// kindAliases maps the names that hosts use for a kind of transport to the workbench's
// own.
var kindAliases = map[string]string{
	"streamable-http": "http",
	"streamableHttp":  "http",
	"streamable_http": "http",
}

// kindNames returns the names of all kinds, including those that hosts use.
func kindNames(transports map[string]ports.Transport) []string {
	names := slices.Collect(maps.Keys(transports))
	return slices.Sorted(slices.Values(append(names, slices.Collect(maps.Keys(kindAliases))...)))
}

// transportKeys returns the keys of the settings of a kind of server, none for an unknown kind.
func transportKeys(transports map[string]ports.Transport, kind string) keys.Set {
	if transport, known := transports[kind]; known {
		return keys.OfValue(transport.Settings())
	}
	return nil
}
