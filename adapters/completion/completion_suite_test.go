package completion_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestCompletion(t *testing.T) { spec.Run(t, "Completion") }
