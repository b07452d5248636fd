package textedit_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestTextEdit(t *testing.T) { spec.Run(t, "textedit") }
