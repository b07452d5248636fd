package doctor

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestDoctor(t *testing.T) { spec.Run(t, "The doctor") }
