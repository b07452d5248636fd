package packages_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestPackages(t *testing.T) { spec.Run(t, "Pinned packages") }
