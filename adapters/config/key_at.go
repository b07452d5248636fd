package config

import (
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
	if path = path[2:]; len(path) <= 2 || path[0] != mcpServersKey {
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
