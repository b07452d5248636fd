package authorities_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestAuthorities(t *testing.T) { spec.Run(t, "adapters/downstream/web/authorities") }
