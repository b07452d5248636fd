package registry_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestRegistry(t *testing.T) { spec.Run(t, "The client of a registry") }
