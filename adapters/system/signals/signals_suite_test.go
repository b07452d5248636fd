package signals_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestSignals(t *testing.T) { spec.Run(t, "Signals") }
