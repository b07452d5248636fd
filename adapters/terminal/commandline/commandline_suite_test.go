package commandline_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestCommandLine(t *testing.T) { spec.Run(t, "The command line") }
