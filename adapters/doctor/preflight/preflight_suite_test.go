package preflight_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestPreflight(t *testing.T) { spec.Run(t, "What keeps programs from starting") }
