// Package background_test holds the features of hosts that share a workbench in the background.
package background_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"

	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

func TestBackground(t *testing.T) { spec.Run(t, "The workbench in the background") }

var _ = SynchronizedBeforeSuite(Build, UsePrograms)
