package acceptance_test

import (
	. "github.com/onsi/ginkgo/v2"

	. "mcp-workbench/tests/workbenchtest"
)

// askToReload skips the spec: there is no such signal.
func askToReload(*Workbench) { Skip("there is no SIGUSR1") }
