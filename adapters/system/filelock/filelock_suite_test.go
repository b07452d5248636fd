package filelock_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestFileLock(t *testing.T) { spec.Run(t, "Locks on files") }
