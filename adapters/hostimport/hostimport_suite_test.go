package hostimport_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestHostImport(t *testing.T) { spec.Run(t, "Taking over the servers of hosts") }
