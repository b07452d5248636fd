package resource_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestResource(t *testing.T) { spec.Run(t, "The protected resource") }
