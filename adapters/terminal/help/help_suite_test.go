package help_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestHelp(t *testing.T) { spec.Run(t, "Help topics") }
