package excerpts_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestFitting(t *testing.T) { spec.Run(t, "Cutting results") }
