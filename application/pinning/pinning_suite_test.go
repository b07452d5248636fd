package pinning_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestPinning(t *testing.T) { spec.Run(t, "The decisions by the lock") }
