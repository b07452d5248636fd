package keychain_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestKeychain(t *testing.T) { spec.Run(t, "Password stores") }
