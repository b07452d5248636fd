package pinnedstart_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestPinnedStart(t *testing.T) { spec.Run(t, "Starting pinned packages") }
