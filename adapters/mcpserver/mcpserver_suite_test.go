package mcpserver_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestMCPServer(t *testing.T) { spec.Run(t, "The host's side") }
