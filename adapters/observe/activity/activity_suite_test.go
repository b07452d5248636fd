package activity_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestActivity(t *testing.T) { spec.Run(t, "The record of activity") }
