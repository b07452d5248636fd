package skills_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestSkills(t *testing.T) { spec.Run(t, "Skills of toolboxes") }
