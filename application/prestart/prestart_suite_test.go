package prestart_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestPrestart(t *testing.T) { spec.Run(t, "The preparation of servers") }
