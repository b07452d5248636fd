// Package spec runs the suites: it gives them an empty home directory, sets the time limit of every spec, fails
// specs that leave a goroutine behind, and lets specs run in bubbles with a clock
// of their own.
package spec

import (
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
	"github.com/onsi/gomega"
	"github.com/onsi/gomega/gleak"
)

// Limit is the longest time that a spec may take before it fails. It detects hangs, even on
// slow and busy machines; it measures nothing. A spec that needs longer has its own
// SpecTimeout. A whole run has no limit.
const Limit = 3 * time.Minute

// patience is the default time that Eventually waits. It detects hangs too: Gomega's default
// of a second is over on a busy machine before a process has started.
const patience = time.Minute

// limitOfSoak is the limit when soak specs run at full length, which WORKBENCH_SOAK
// asks for.
const limitOfSoak = 2 * time.Hour

// everywhere are the specs that run unless a flag names others by label, title or file: those that need nothing but Go
// and end soon. Specs that need more have a label: "large" for megabytes or thousands of values, "soak" for random input
// and repetition without end, "npm" for Node and programs from npm, "balancers" for HAProxy and nginx, and
// "measurement" for figures of the product.
const everywhere = "!large && !soak && !npm && !balancers && !measurement"

// suite is the Go test that runs the specs; bubbles need it.
var suite *testing.T

// Run runs the specs of the package that calls it, in random order. The name
// describes the suite. All specs have the labels. Without flags that say which specs to run, those with
// labels that the constant everywhere names are left out.
func Run(t *testing.T, name string, labels ...string) {
	suite = t
	ownHome(t)
	gomega.RegisterFailHandler(ginkgo.Fail)
	gomega.SetDefaultEventuallyTimeout(patience)
	defer ginkgo.AddTreeConstructionNodeArgsTransformer(limit)()
	ginkgo.BeforeEach(watchGoroutines)
	ginkgo.ReportAfterEach(sayHowToRepeat)
	if signal.Ignored(syscall.SIGHUP) { // by nohup, and programs that the specs start would ignore it too
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
	running, reporting := ginkgo.GinkgoConfiguration()
	running.RandomizeAllSpecs = true
	running.Timeout = 0
	if running.LabelFilter == "" && len(running.FocusStrings) == 0 && len(running.FocusFiles) == 0 {
		running.LabelFilter = everywhere
	}
	reporting.Succinct = !reporting.Verbosity().GTE(types.VerbosityLevelVerbose)
	reporting.NoColor = true
	ginkgo.RunSpecs(t, name, ginkgo.Label(labels...), running, reporting)
}

// Must returns the value of a call that must not fail.
func Must[T any](value T, err error) T {
	ginkgo.GinkgoHelper()
	gomega.Expect(err).NotTo(gomega.HaveOccurred())
	return value
}

// sayHowToRepeat adds the command that runs a failed spec alone to its report.
func sayHowToRepeat(report ginkgo.SpecReport) {
	if !report.Failed() {
		return
	}
	folder, err := os.Getwd()
	if err == nil {
		folder, err = filepath.Rel(root(), folder)
	}
	if err != nil || report.FullText() == "" {
		return
	}
	title := strings.ReplaceAll(regexp.QuoteMeta(report.FullText()), "'", `'\''`)
	ginkgo.AddReportEntry("To run it alone", fmt.Sprintf("go test ./%s -ginkgo.focus '%s$'", filepath.ToSlash(folder), title))
}

// InBubble returns the body of a spec that runs in a bubble with its own clock, which advances
// when every goroutine waits. Goroutines that are left when the body ends fail the
// run.
func InBubble(body func(t *testing.T)) func() { return func() { Bubble(body) } }

// hundredYears is more time than any spec needs in a bubble.
const hundredYears = 100 * 365 * 24 * time.Hour

// Bubble runs body in a bubble immediately. A body that waits forever fails under the name of
// the spec: its deadlock is found at once, and an endless loop reaches the limit. Only an
// endless loop with long pauses reaches the end of the bubble's clock first, in the
// year 2262. Then the Go runtime ends the whole run with "bad g->status in ready", which
// names no spec, so the name is printed before.
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

// After is time.After for bubbles. Its channel is filled already if there is nothing to wait for: with the race detector,
// the process ends when two goroutines of a bubble read timers that are due (golang/go#78156).
func After(span time.Duration) <-chan time.Time {
	if span > 0 {
		return time.After(span)
	}
	due := make(chan time.Time, 1)
	due <- time.Now()
	return due
}

// watchGoroutines fails a spec that leaves goroutines behind. Scripted servers in
// this process may hang forever, as their scripts say.
func watchGoroutines() {
	before := gleak.Goroutines()
	scripted := gleak.IgnoringInBacktrace("mcp-workbench/tests/fixtures/")
	ginkgo.DeferCleanup(func() {
		gomega.Eventually(gleak.Goroutines).ShouldNot(gleak.HaveLeaked(before, scripted))
	})
}

// limit gives every spec without its own limit the common one. Ginkgo limits only specs
// that take a context, so others are wrapped; when its time is up, such a spec is
// abandoned and the run continues.
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
