//go:build unix

package workbenchtest

import (
	"syscall"

	"github.com/onsi/ginkgo/v2"
)

// AskToReload asks a workbench to read its configuration again.
func AskToReload(w *Workbench) {
	ginkgo.GinkgoHelper()
	w.Signal(syscall.SIGUSR1)
}
