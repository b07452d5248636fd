package mcpclient_test

import (
	"testing"
	"testing/synctest"

	"mcp-workbench/tests/spec"
)

func TestMCPClient(t *testing.T) { spec.Run(t, "The MCP client") }

// inBubble runs the body of a spec with a connection, where time is not the
// clock's and settle waits until nothing more can happen. A bubble ends when every
// goroutine in it has ended, so every spec shows that it leaves none.
func inBubble(body func(c *connection)) {
	spec.Bubble(func(*testing.T) {
		c := newConnection()
		defer c.end()
		body(c)
	})
}

func settle() { synctest.Wait() }
