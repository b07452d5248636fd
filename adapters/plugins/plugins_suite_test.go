package plugins_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestPlugins(t *testing.T) { spec.Run(t, "Plugins") }
