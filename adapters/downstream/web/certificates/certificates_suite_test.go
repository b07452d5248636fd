package certificates_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestCertificates(t *testing.T) { spec.Run(t, "adapters/downstream/web/certificates") }
