package protocol_test

import (
	"testing"

	"mcp-workbench/tests/spec"
)

func TestProtocol(t *testing.T) {
	spec.Run(t, "Names and rules of the protocol")
}
