package demo_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestDemo(t *testing.T) { spec.Run(t, "The demo server") }
