package present_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestPresent(t *testing.T) { spec.Run(t, "What a model reads") }
