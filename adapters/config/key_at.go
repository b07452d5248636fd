package config

import (
	"maps"
	"slices"

	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/ports"
)

// KeyAt returns what describes the value at a path of names in a configuration, as keys.Set.Member does. Below a
// server it has the traits that the key has for servers of any kind, since a file that is changed need not say the
// kind.
func KeyAt(transports map[string]ports.Transport, path []string) keys.Key {
	if len(path) <= 2 || path[0] != toolboxesKey {
		return rootKeys.At(path)
	}
	if path = path[2:]; len(path) <= 2 || !hasServers(path[0]) {
		return toolboxKeys.At(path)
	}
	path = path[2:]
	key := commonKeys.At(path)
	for _, transport := range transports {
		if own := ServerKeys(transport).At(path); own.Type != nil {
			own.Trait |= key.Trait
			key = own
		}
	}
	return key
}

// KeysOfServers returns the keys of servers of all kinds, since a server that is changed need not say its kind.
func KeysOfServers(transports map[string]ports.Transport) keys.Set {
	return slices.Concat(commonKeys, KeysOfTransports(transports))
}

// KeysOfTransports returns the keys of KeysOfServers that reach a server.
func KeysOfTransports(transports map[string]ports.Transport) keys.Set {
	var all keys.Set
	for _, kind := range slices.Sorted(maps.Keys(transports)) {
		for _, key := range keys.OfValue(transports[kind].Settings()) {
			if _, known := all.Get(key.Name); !known {
				all = append(all, key)
			}
		}
	}
	return all
}
