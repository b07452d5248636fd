package processtree_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestProcesstree(t *testing.T) { spec.Run(t, "Processes of servers") }
