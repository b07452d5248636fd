package soak_test

import (
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

// maxGrowth is how much the memory of a workbench may grow, however much work it
// did.
const maxGrowth = 10 << 20

// wear is work that must leave nothing behind.
type wear struct {
	servers []Server
	// warmUp and amount are the amounts of work before and after the workbench is first
	// measured.
	warmUp, amount int
	work           func(w *Workbench, amount int)
}

// expectNothingLeft does the work and compares the holdings of the workbench with those
// after the warm-up. Listing goroutines ends a workbench, so these are
// compared with those of another one, which only did the warm-up.
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

// warm starts a workbench and warms it up.
func (t wear) warm() *Workbench {
	GinkgoHelper()
	w := Serve(NewToolbox("dev", t.servers...))
	Expect(w.Open("dev").Connected).To(Equal(len(t.servers)))
	t.work(w, t.warmUp)
	atRest(w)
	return w
}

// atRest waits until the holdings of the workbench stay the same, and returns them.
func atRest(w *Workbench) Holdings {
	GinkgoHelper()
	return settle(w.Holdings)
}

// settle reads a value until it stays the same, and returns it.
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
