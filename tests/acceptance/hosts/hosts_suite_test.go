// Package hosts_test holds the features about hosts: their configurations, their servers, and what each
// host can do.
package hosts_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"

	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

func TestHosts(t *testing.T) { spec.Run(t, "The workbench in the files of hosts") }

var _ = SynchronizedBeforeSuite(Build, UsePrograms)
