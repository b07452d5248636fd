package application_test

import (
	"runtime"
	"testing"

	"mcp-workbench/tests/spec"
)

func TestApplication(t *testing.T) {
	// With the race detector, timers of one bubble that fire at the same moment on two
	// processors sometimes crash the runtime (golang/go#78156).
	runtime.GOMAXPROCS(1)
	spec.Run(t, "The use cases")
}
