// Package trust_test holds the features about trust in configurations.
package trust_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"

	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

func TestTrust(t *testing.T) { spec.Run(t, "The workbench and trust") }

var _ = SynchronizedBeforeSuite(Build, UsePrograms)
