package exit_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestExit(t *testing.T) { spec.Run(t, "Exit") }
