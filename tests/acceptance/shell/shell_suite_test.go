// Package shell_test holds the features of the commands for users of a shell and a terminal.
package shell_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"

	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

func TestShell(t *testing.T) { spec.Run(t, "The workbench in a shell") }

var _ = SynchronizedBeforeSuite(Build, UsePrograms)
