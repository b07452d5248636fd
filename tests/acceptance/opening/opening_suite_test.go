// Package opening_test holds the features of what open_toolbox shows: the toolboxes of the instructions,
// definitions of tools, registered tools, and when servers are started.
package opening_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"

	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

func TestOpening(t *testing.T) {
	spec.Run(t, "The workbench when toolboxes are opened")
}

var _ = SynchronizedBeforeSuite(Build, UsePrograms)

var _ = SynchronizedAfterSuite(func() {}, RemovePrograms)
