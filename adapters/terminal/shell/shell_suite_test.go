package shell

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestShell(t *testing.T) { spec.Run(t, "The shell") }
