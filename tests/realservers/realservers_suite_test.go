// Package realservers_test runs the workbench between programs of other
// authors: the reference servers from npm below it, and the Inspector, the
// official SDKs' clients and the conformance runner above it.
package realservers_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"

	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

func TestRealServers(t *testing.T) { spec.Run(t, "Real servers and hosts", "npm") }

var _ = SynchronizedBeforeSuite(func() []byte {
	requireNode()
	return BuildWithoutRaceDetector()
}, func(paths []byte) {
	requireNode()
	UsePrograms(paths)
})
