package listings_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestListings(t *testing.T) { spec.Run(t, "Kept listings") }
