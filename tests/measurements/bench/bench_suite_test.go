package main

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestBench(t *testing.T) { spec.Run(t, "The benchmark") }
