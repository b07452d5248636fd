package login_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestLogin(t *testing.T) { spec.Run(t, "Logins of people") }
