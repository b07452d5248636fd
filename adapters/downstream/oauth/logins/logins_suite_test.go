package logins_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestLogins(t *testing.T) { spec.Run(t, "Logins") }
