package application_test

import (
	"runtime"
	"testing"

	"mcp-workbench/tests/spec"
)

func TestApplication(t *testing.T) {
	// With the race detector, timers of one bubble that end at the same moment on two
	// processors crash the runtime now and then (golang/go#78156).
	runtime.GOMAXPROCS(1)
	spec.Run(t, "The use cases")
}
