// Package find_test measures how well tools are found by words, over the sets of questions that README.md
// describes. "make find" writes the figures into the help topic finding.
package find_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestFind(t *testing.T) { spec.Run(t, "Finding tools", "measurement") }
