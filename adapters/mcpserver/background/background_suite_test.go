package background_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestBackground(t *testing.T) { spec.Run(t, "A bridge") }
