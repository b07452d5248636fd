package configtext_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestConfigtext(t *testing.T) { spec.Run(t, "The text of the configuration") }
