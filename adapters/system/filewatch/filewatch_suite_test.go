package filewatch_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestFileWatch(t *testing.T) { spec.Run(t, "Watching a file") }
