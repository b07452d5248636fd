package errorlines_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestErrorLines(t *testing.T) { spec.Run(t, "Lines that say why a program failed") }
