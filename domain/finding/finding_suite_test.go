package finding_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestFinding(t *testing.T) { spec.Run(t, "Finding") }
