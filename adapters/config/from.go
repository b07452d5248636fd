package config

import "mcp-workbench/domain"

// from reads where the settings of a server come from.
func (r *reader) from(n node) (from domain.Published) {
	text := func(into *string) func(node) {
		return func(n node) { *into, _ = r.text(n, "a string") }
	}
	r.fields(n, `an object with "registry" and "version"`,
		field{registryKey, "the name of the server in the registry", text(&from.Registry)},
		field{"version", "the version in the registry", text(&from.Version)},
	)
	return from
}

// fromSchema returns the schema of the key "from".
func fromSchema() schema {
	return closed(schema{
		registryKey: schema{"description": "The name of the server in the registry.", "type": "string"},
		"version":   schema{"description": "The version in the registry.", "type": "string"},
	}, registryKey, "version")
}
