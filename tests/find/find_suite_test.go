// Package find_test measures how well tools are found by words, over the sets of questions that README.md
// describes. The figures are in the help topic finding, which "make find" writes.
package find_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestFind(t *testing.T) {
	spec.Run(t, "Finding tools")
}
