// Package opening_test holds the features of open_toolbox: toolboxes in the instructions, definitions of
// tools, registered tools, and the start of servers.
package opening_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"

	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

func TestOpening(t *testing.T) { spec.Run(t, "The workbench when toolboxes are opened") }

var _ = SynchronizedBeforeSuite(Build, UsePrograms)
