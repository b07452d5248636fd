package consent_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestConsent(t *testing.T) {
	spec.Run(t, "Consent")
}
