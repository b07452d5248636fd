package redaction_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestRedaction(t *testing.T) { spec.Run(t, "Redaction") }
