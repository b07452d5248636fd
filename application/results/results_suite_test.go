package results_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestResults(t *testing.T) { spec.Run(t, "Results that fit") }
