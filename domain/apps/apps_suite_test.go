package apps_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestApps(t *testing.T) { spec.Run(t, "Tools with pages") }
