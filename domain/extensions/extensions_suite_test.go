package extensions_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestExtensions(t *testing.T) { spec.Run(t, "Pages of tools, and skills") }
