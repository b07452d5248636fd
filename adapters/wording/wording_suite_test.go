package wording_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestWording(t *testing.T) { spec.Run(t, "What a model reads") }
