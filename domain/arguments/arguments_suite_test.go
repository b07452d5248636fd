package arguments_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestArguments(t *testing.T) { spec.Run(t, "Arguments and the input schemas of tools") }
