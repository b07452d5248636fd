package wire

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestWire(t *testing.T) { spec.Run(t, "The wire of the benchmark") }
