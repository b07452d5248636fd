package usage_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestUsage(t *testing.T) { spec.Run(t, "The usage of tools") }
