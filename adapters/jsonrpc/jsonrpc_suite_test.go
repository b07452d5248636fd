package jsonrpc_test

import (
	"testing"
	"time"

	"mcp-workbench/tests/spec"
)

// patience is how long a spec waits for something that must happen.
const patience = 30 * time.Second

func TestJSONRPC(t *testing.T) { spec.Run(t, "JSON-RPC") }
