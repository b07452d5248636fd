package shares_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestShares(t *testing.T) { spec.Run(t, "Shares") }
