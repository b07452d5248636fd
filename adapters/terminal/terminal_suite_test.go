package terminal_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestTerminal(t *testing.T) { spec.Run(t, "The terminal") }
