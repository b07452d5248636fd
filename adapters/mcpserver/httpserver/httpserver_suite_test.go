package httpserver_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestHTTPServer(t *testing.T) { spec.Run(t, "HTTP towards hosts") }
