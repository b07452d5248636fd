package endpoint_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestEndpoint(t *testing.T) { spec.Run(t, "What is served at an address") }
