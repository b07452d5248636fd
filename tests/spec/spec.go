// Package spec runs the suites: it sets the time limit of every spec, sees to it
// that no spec leaves a goroutine behind, and lets specs run in bubbles with a clock
// of their own.
package spec

import (
	"fmt"
	"os"
	"runtime/debug"
	"testing"
	"testing/synctest"
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
	"github.com/onsi/gomega"
	"github.com/onsi/gomega/gleak"
)

// Limit is the longest time a spec may take before it fails by its name. It finds hangs, on
// slow and busy machines too; it measures nothing. A spec that needs longer carries a
// SpecTimeout of its own. No limit is set on a whole run.
const Limit = 3 * time.Minute

// patience is the time Eventually waits where nothing else is said. It finds hangs too:
// Gomega's own second is over on a busy machine before a process has started.
const patience = time.Minute

// limitOfSoak is the limit when soak specs run at full length, which WORKBENCH_SOAK
// asks for.
const limitOfSoak = 2 * time.Hour

// collectedAt is the percentage by which the heap of a suite grows before garbage is collected. Suites hold little and
// end soon, so a tenth of the CPU time of all specs went into collections.
const collectedAt = 400

// suite is the Go test that runs the specs; bubbles need it.
var suite *testing.T

// Run runs the specs of the package that calls it, in random order. The name
// describes the suite.
func Run(t *testing.T, name string) {
	suite = t
	debug.SetGCPercent(collectedAt)
	gomega.RegisterFailHandler(ginkgo.Fail)
	gomega.SetDefaultEventuallyTimeout(patience)
	defer ginkgo.AddTreeConstructionNodeArgsTransformer(limit)()
	ginkgo.BeforeEach(watchGoroutines)
	running, reporting := ginkgo.GinkgoConfiguration()
	running.RandomizeAllSpecs = true
	running.Timeout = 0
	reporting.Succinct = !reporting.Verbosity().GTE(types.VerbosityLevelVerbose)
	reporting.NoColor = true
	ginkgo.RunSpecs(t, name, running, reporting)
}

// InBubble makes the body of a spec: in a bubble with a clock of its own, which moves
// when every goroutine waits. Goroutines that are left when the body ends fail the
// run.
func InBubble(body func(t *testing.T)) func() { return func() { Bubble(body) } }

// hundredYears is more time than any spec needs in a bubble.
const hundredYears = 100 * 365 * 24 * time.Hour

// Bubble runs body in a bubble, now. A body that waits for ever fails by its name: its
// deadlock is found at once, and a loop that goes on for ever meets the limit. Only a
// loop whose pauses are long comes to the end of the bubble's clock before that, in the
// year 2262. Then the Go runtime ends the whole run with "bad g->status in ready", which
// names no spec, so the name is written before.
func Bubble(body func(t *testing.T)) {
	name := ginkgo.CurrentSpecReport().FullText()
	synctest.Test(suite, func(t *testing.T) {
		defer ginkgo.GinkgoRecover()
		defer time.AfterFunc(hundredYears, func() {
			fmt.Fprintf(os.Stderr, "\nA hundred years passed in a bubble: this spec waits or loops for ever: %s\n", name)
		}).Stop()
		body(t)
	})
}

// watchGoroutines fails a spec that leaves goroutines behind. Scripted servers of
// this process may hang for ever, as their scripts say.
func watchGoroutines() {
	before := gleak.Goroutines()
	scripted := gleak.IgnoringInBacktrace("mcp-workbench/tests/fixtures/")
	ginkgo.DeferCleanup(func() {
		gomega.Eventually(gleak.Goroutines).ShouldNot(gleak.HaveLeaked(before, scripted))
	})
}

// limit gives every spec without a limit the common one. Ginkgo limits only specs
// that take a context, so one that takes none is wrapped; when its time is up it is
// left behind and the run goes on.
func limit(kind types.NodeType, _ ginkgo.Offset, text string, args []any) (string, []any, []error) {
	if kind != types.NodeTypeIt {
		return text, args, nil
	}
	limited := false
	for i, arg := range args {
		switch value := arg.(type) {
		case ginkgo.SpecTimeout:
			limited = true
		case func():
			args[i] = func(ginkgo.SpecContext) { value() }
		}
	}
	if !limited && os.Getenv("WORKBENCH_SOAK") != "" {
		args = append(args, ginkgo.SpecTimeout(limitOfSoak))
	} else if !limited {
		args = append(args, ginkgo.SpecTimeout(Limit))
	}
	return text, append(args, ginkgo.GracePeriod(time.Second)), nil
}
