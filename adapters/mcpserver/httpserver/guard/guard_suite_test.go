package guard_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestGuard(t *testing.T) { spec.Run(t, "Where requests may come from") }
