package dotenv_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestDotenv(t *testing.T) { spec.Run(t, "Files of environment variables") }
