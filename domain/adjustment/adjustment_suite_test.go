package adjustment_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestAdjustment(t *testing.T) { spec.Run(t, "Adjusting tools") }
