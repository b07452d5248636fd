//go:build unix

package acceptance_test

import (
	"syscall"

	. "github.com/onsi/ginkgo/v2"

	. "mcp-workbench/tests/workbenchtest"
)

// askToReload asks a workbench to read its configuration again.
func askToReload(w *Workbench) {
	GinkgoHelper()
	w.Signal(syscall.SIGUSR1)
}
