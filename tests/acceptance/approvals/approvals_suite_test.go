// Package approvals_test holds the features about the user's approval: calls to confirm, and
// tools that the lock pins.
package approvals_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"

	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

func TestApprovals(t *testing.T) { spec.Run(t, "The workbench and approvals") }

var _ = SynchronizedBeforeSuite(Build, UsePrograms)
