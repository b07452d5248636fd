package published_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestPublished(t *testing.T) { spec.Run(t, "A server in a registry") }
