package serverconfig_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestServerConfig(t *testing.T) { spec.Run(t, "A server in a configuration") }
