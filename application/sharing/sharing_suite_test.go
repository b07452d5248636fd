package sharing_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestSharing(t *testing.T) { spec.Run(t, "Sharing servers") }
