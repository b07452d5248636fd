// Package hosts_test holds the features of how the program is put into the configurations of hosts, takes
// their servers over, and knows what a host can do.
package hosts_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"

	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

func TestHosts(t *testing.T) {
	spec.Run(t, "The workbench in the files of hosts")
}

var _ = SynchronizedBeforeSuite(Build, UsePrograms)

var _ = SynchronizedAfterSuite(func() {}, RemovePrograms)
