// Package logins_test holds the features about logins at authorization servers of remote servers.
package logins_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"

	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

func TestLogins(t *testing.T) { spec.Run(t, "The workbench and logins") }

var _ = SynchronizedBeforeSuite(Build, UsePrograms)
