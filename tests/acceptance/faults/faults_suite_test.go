// Package faults_test holds the features about faults: calls that are cancelled or reach
// their limits, malformed messages, servers that fail, hang, flood or die, a workbench
// under load, and its end.
package faults_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"

	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

func TestFaults(t *testing.T) { spec.Run(t, "The workbench when something goes wrong") }

var _ = SynchronizedBeforeSuite(Build, UsePrograms)
