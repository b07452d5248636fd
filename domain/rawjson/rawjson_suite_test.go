package rawjson_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestRawJSON(t *testing.T) { spec.Run(t, "JSON text") }
