package hostfiles_test

import (
	"slices"
	"testing"

	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/adapters/downstream/stdio"
	"mcp-workbench/adapters/downstream/web"
	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/application/setup"
	"mcp-workbench/tests/spec"
)

func TestHostFiles(t *testing.T) { spec.Run(t, "The files of hosts") }

// compared compares servers by the keys of programs and addresses.
func compared(lookup setup.Lookup) setup.Comparison {
	described := slices.Concat(keys.OfValue((*stdio.Transport)(nil).Settings()), keys.OfValue(web.SettingsReader{}.Settings()))
	return setup.Comparison{Keys: hostfiles.Keys(described), Lookup: lookup}
}
