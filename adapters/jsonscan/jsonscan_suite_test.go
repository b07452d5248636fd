package jsonscan_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestJSONScan(t *testing.T) {
	spec.Run(t, "JSON text")
}
