package html_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestHTML(t *testing.T) { spec.Run(t, "Writing HTML") }
