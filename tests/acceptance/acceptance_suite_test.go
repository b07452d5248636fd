// Package acceptance_test holds the features: what a host sees of the workbench,
// over real pipes and with servers that do what a script says.
package acceptance_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"

	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

func TestAcceptance(t *testing.T) {
	spec.Run(t, "The workbench")
}

var _ = SynchronizedBeforeSuite(Build, UsePrograms)

var _ = SynchronizedAfterSuite(func() {}, RemovePrograms)
