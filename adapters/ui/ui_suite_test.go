package ui_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestUI(t *testing.T) { spec.Run(t, "The page that shows what happens") }
