package launcher_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestLauncher(t *testing.T) { spec.Run(t, "Command lines of servers") }
