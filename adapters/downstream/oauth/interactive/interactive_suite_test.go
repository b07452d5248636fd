package interactive_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestInteractive(t *testing.T) { spec.Run(t, "Logins of people") }
