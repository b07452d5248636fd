package login

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestLogin(t *testing.T) { spec.Run(t, "Logging in at a terminal") }
