package domain_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestDomain(t *testing.T) { spec.Run(t, "The words of the workbench") }
