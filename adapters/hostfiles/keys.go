package hostfiles

import (
	"encoding/json"
	"slices"

	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/application/setup"
)

// Keys returns what the keys of transports say of the settings of servers.
func Keys(described keys.Set) setup.Keys {
	return func(settings json.RawMessage) []setup.Value {
		var values []setup.Value
		for _, value := range described.Values(settings) {
			key := value.Key
			if key.Type == nil || saysNothing(value) {
				continue // a transport has no such key
			}
			values = append(values, setup.Value{
				Path: value.At, Raw: value.Raw,
				IsLine: key.Is(keys.Line), IsAddress: key.Is(keys.Address),
				IsSecret: key.Is(keys.Secret), IsNamed: key.Is(keys.Data),
				IsVariable: key.Is(keys.Variables), IsCaseless: key.Is(keys.Caseless),
				IsLate: key.Is(keys.Late), IsUnordered: key.Is(keys.Unordered),
			})
		}
		return values
	}
}

// saysNothing reports whether a missing key would say the same as a value. A variable or a header can be empty.
func saysNothing(value keys.Value) bool {
	return !value.Key.Is(keys.Data) && slices.Contains([]string{`""`, "[]", "{}", "null"}, string(value.Raw)) ||
		value.Key.Kind == keys.Bool && string(value.Raw) == "false"
}
