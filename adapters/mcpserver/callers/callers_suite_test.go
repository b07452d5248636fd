package callers_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestCallers(t *testing.T) { spec.Run(t, "Callers over HTTP") }
