package secrets_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestSecrets(t *testing.T) { spec.Run(t, "Secrets of commands") }
