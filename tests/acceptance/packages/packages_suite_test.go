// Package packages_test holds the features of packages of npm and PyPI that the lock pins.
package packages_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"

	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

func TestPackages(t *testing.T) { spec.Run(t, "The workbench and packages") }

var _ = SynchronizedBeforeSuite(Build, UsePrograms)
