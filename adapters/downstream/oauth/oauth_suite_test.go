package oauth_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestOAuth(t *testing.T) { spec.Run(t, "Logins at remote servers") }
