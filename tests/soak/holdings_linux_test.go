package soak_test

import (
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

// maxGrowth is how much memory a workbench may take for itself, however much it
// did.
const maxGrowth = 10 << 20

// wear is work of which nothing may be left.
type wear struct {
	servers []Server
	// warmUp and amount are how much of the work is done before the workbench is
	// looked at, and then.
	warmUp, amount int
	work           func(w *Workbench, amount int)
}

// expectNothingLeft does the work and compares what the workbench holds with what
// it held after the warm-up. Listing goroutines ends a workbench, so these are
// compared with those of another one, which did no more than warm up.
func (t wear) expectNothingLeft() {
	GinkgoHelper()
	goroutines := t.warm().Goroutines()
	w := t.warm()
	before := atRest(w)
	memory := w.Memory()
	begun := time.Now()

	t.work(w, t.amount)

	took := time.Since(begun).Round(time.Second / 10)
	Eventually(w.Holdings).WithTimeout(Patience).Should(Equal(before))
	growth := w.Memory() - memory
	AddReportEntry("figures", fmt.Sprintf("%d in %s; held before and after: %d descriptors, %d processes; memory: %.1f MiB and %+.1f",
		t.amount, took, before.Descriptors, before.Processes, float64(memory)/(1<<20), float64(growth)/(1<<20)))
	Expect(growth).To(BeNumerically("<", maxGrowth), "bytes that the memory grew by")
	Expect(w.Goroutines()).To(Equal(goroutines))
}

// warm starts a workbench that is warmed up.
func (t wear) warm() *Workbench {
	GinkgoHelper()
	w := Serve(NewToolbox("dev", t.servers...))
	Expect(w.Open("dev").Connected).To(Equal(len(t.servers)))
	t.work(w, t.warmUp)
	atRest(w)
	return w
}

// atRest waits until what the workbench holds stays the same, and returns it.
func atRest(w *Workbench) Holdings {
	GinkgoHelper()
	return settle(w.Holdings)
}

// settle looks until what it sees stays the same, and returns it.
func settle[T comparable](look func() T) T {
	GinkgoHelper()
	var last T
	same := 0
	Eventually(func() int {
		now := look()
		if same++; now != last {
			same, last = 0, now
		}
		return same
	}).WithTimeout(Patience).WithPolling(20*time.Millisecond).Should(Equal(20), "looks that were the same")
	return last
}
