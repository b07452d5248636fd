package discovery_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestDiscovery(t *testing.T) { spec.Run(t, "Finding known tools") }
