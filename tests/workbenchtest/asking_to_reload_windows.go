package workbenchtest

import "github.com/onsi/ginkgo/v2"

// AskToReload skips the spec: there is no such signal.
func AskToReload(*Workbench) { ginkgo.Skip("Windows has no SIGUSR1") }
