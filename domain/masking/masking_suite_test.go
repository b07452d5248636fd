package masking_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestMasking(t *testing.T) { spec.Run(t, "What is masked") }
