// Package architecture_test holds the rules of ARCHITECTURE.md that can be read
// off the source: which package may import which, what files and folders are called, how long
// they are. The rules are data in rooms_test.go; each is seen to bite in
// planting_test.go.
package architecture_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestArchitecture(t *testing.T) { spec.Run(t, "The architecture") }
