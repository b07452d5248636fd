package ownprogram_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestOwnProgram(t *testing.T) { spec.Run(t, "Recognising this program") }
