package setup

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestSetup(t *testing.T) { spec.Run(t, "Setting the workbench up") }
