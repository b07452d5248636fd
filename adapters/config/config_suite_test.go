package config_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestConfig(t *testing.T) { spec.Run(t, "Configuration") }
