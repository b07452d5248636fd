// Package using_test holds the features of calls, resources, prompts, tasks and questions between a host
// and a server, however the server is reached and shared.
package using_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"

	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

func TestUsing(t *testing.T) { spec.Run(t, "The workbench when tools are used") }

var _ = SynchronizedBeforeSuite(Build, UsePrograms)
