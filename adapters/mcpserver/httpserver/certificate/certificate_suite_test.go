package certificate_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestCertificate(t *testing.T) { spec.Run(t, "The certificate") }
