package lockreport

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestLockReport(t *testing.T) { spec.Run(t, "The report on a lock") }
