package fileowner_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestFileOwner(t *testing.T) { spec.Run(t, "Owners of files") }
