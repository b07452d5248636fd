// Package configuration_test holds the features about reading, refusing and reloading a configuration,
// and about doctor.
package configuration_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"

	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

func TestConfiguration(t *testing.T) { spec.Run(t, "The workbench and its configuration") }

var _ = SynchronizedBeforeSuite(Build, UsePrograms)
