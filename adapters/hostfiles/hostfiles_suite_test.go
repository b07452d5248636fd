package hostfiles_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestHostFiles(t *testing.T) { spec.Run(t, "The files of hosts") }
