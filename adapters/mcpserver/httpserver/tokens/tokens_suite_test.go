package tokens_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestTokens(t *testing.T) { spec.Run(t, "Access by tokens") }
