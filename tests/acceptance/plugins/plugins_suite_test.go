// Package plugins_test holds the features about Agent Plugins.
package plugins_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"

	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

func TestPlugins(t *testing.T) { spec.Run(t, "The workbench and plugins") }

var _ = SynchronizedBeforeSuite(Build, UsePrograms)
