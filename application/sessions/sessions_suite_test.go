package sessions_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestSessions(t *testing.T) { spec.Run(t, "The policy of sessions") }
