// Package soak_test wears the workbench with very many calls and very many restarts of
// servers, after which it holds the same resources as before. The short form is for daily
// use; WORKBENCH_SOAK sets the full length.
//
// The holdings of a workbench are measured from outside, in /proc, on one built without the
// race detector, which has memory of its own. Its goroutines are those that the
// runtime lists on SIGQUIT. Since that ends it, they are compared with those of a
// second workbench that only did the warm-up. Servers that fail are started again
// after pauses, so the ten thousand restarts are of servers that were stopped while
// idle; there are fewer deaths here, and ten thousand in virtual time.
package soak_test

import (
	"os"
	"testing"

	. "github.com/onsi/ginkgo/v2"

	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

func TestSoak(t *testing.T) { spec.Run(t, "A workbench that works for long", "large") }

var _ = SynchronizedBeforeSuite(BuildWithoutRaceDetector, UsePrograms)

// amount returns the amount of work for a spec: less than the full amount unless
// WORKBENCH_SOAK is set.
func amount(short, full int) int {
	if os.Getenv("WORKBENCH_SOAK") == "" {
		return short
	}
	return full
}
