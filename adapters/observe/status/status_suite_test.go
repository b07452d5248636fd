package status_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestStatus(t *testing.T) { spec.Run(t, "The status of workbenches") }
