package review_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestReview(t *testing.T) { spec.Run(t, "The review of a change") }
