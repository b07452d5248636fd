package trust_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestTrust(t *testing.T) { spec.Run(t, "Trusted files") }
