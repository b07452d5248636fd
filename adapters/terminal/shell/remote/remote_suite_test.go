package remote_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestRemote(t *testing.T) { spec.Run(t, "Commands whose servers are in the background") }
