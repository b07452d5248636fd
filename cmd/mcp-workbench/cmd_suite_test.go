package main

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestProgram(t *testing.T) { spec.Run(t, "The program") }
