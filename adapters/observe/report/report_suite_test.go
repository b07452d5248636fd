package report_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestReport(t *testing.T) { spec.Run(t, "The report of activity") }
