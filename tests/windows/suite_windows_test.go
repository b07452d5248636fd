package windows_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"

	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

func TestWindows(t *testing.T) { spec.Run(t, "The workbench on Windows") }

var _ = SynchronizedBeforeSuite(Build, UsePrograms)
