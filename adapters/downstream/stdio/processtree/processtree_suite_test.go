package processtree_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestProcesstree(t *testing.T) { spec.Run(t, "adapters/downstream/stdio/processtree") }
