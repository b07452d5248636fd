package chart_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestChart(t *testing.T) { spec.Run(t, "Drawing figures over time") }
