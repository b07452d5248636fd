package activity_test

import (
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/observe/activity"
	"mcp-workbench/domain"
)

var _ = Describe("Calls that come faster than 1,000 a second", func() {
	var (
		r      *recorded
		record *activity.Record
	)
	BeforeEach(func() {
		r = newRecorded()
		record = r.start(domain.DefaultRecordSettings())
	})
	// fill records the calls that have a line each in a pause.
	fill := func(host *activity.Host) {
		for range 250 {
			host.Observe(call("before"))
		}
	}
	// rest returns the entries after the filled ones.
	rest := func() []activity.Entry {
		GinkgoHelper()
		record.Close()
		entries := r.entries()
		Expect(len(entries)).To(BeNumerically(">=", 250))
		Expect(entries[:250]).To(HaveEach(And(HaveField("Tool", "before"), HaveField("Calls", BeZero()))))
		return entries[250:]
	}

	It("share a line with their number, their average time and the sums of their sizes", func() {
		host := record.Host("", unnamed)
		fill(host)
		for i := range 10 {
			a := call("log")
			a.Time = a.Time.Add(time.Duration(i) * time.Second)
			a.Duration = time.Duration(i) * time.Millisecond
			host.Observe(a)
		}

		Expect(rest()).To(HaveExactElements(And(
			HaveField("Kind", domain.ActivityCall), HaveField("Tool", "log"), HaveField("Outcome", domain.OutcomeOK),
			HaveField("Calls", BeEquivalentTo(10)), HaveField("Milliseconds", 4.5), HaveField("BytesIn", BeEquivalentTo(200)),
			HaveField("BytesOut", BeEquivalentTo(4500)), HaveField("Time", call("log").Time.Add(9*time.Second).Truncate(time.Millisecond)),
		)))
	})

	It("share no line with calls that have another tool, host, outcome or code", func() {
		host, other := record.Host("", unnamed), record.Host(`token "ci"`, unnamed)
		fill(host)
		different := []domain.Activity{call("log"), call("status"), call("log"), call("log"), call("log")}
		different[2].Outcome = domain.OutcomeToolError
		different[3].Outcome, different[3].Code = domain.OutcomeError, -32000
		different[4].Outcome, different[4].Code = domain.OutcomeError, -32001
		for range 3 {
			for _, a := range different {
				host.Observe(a)
			}
			other.Observe(call("log"))
		}

		entries := rest()
		Expect(entries).To(HaveLen(6))
		Expect(entries).To(HaveEach(HaveField("Calls", BeEquivalentTo(3))))
	})

	It("have lines of their own if callers made up the names, and so have starts", func() {
		host := record.Host("", unnamed)
		fill(host)
		unknown, start := call("none"), call("log")
		unknown.Unknown, start.Kind = true, domain.ActivityStart
		for range 2 {
			host.Observe(unknown)
			host.Observe(start)
		}
		Expect(rest()).To(And(HaveLen(4), HaveEach(HaveField("Calls", BeZero()))))
	})

	It("have lines of their own again after a write", func() {
		host := record.Host("", unnamed)
		fill(host)
		host.Observe(call("log"))
		record.Flush()
		host.Observe(call("log"))
		host.Observe(call("log"))
		Expect(rest()).To(And(HaveLen(3), HaveEach(HaveField("Calls", BeZero()))))
	})

	It("are all counted, even if there are more tools than shared lines", func() {
		host := record.Host("", unnamed)
		fill(host)
		for range 3 {
			for i := range 500 {
				host.Observe(call(fmt.Sprint("t", i)))
			}
		}
		calls := 0
		for _, entry := range rest() {
			calls += entry.Count()
		}
		Expect(calls).To(Equal(3 * 500))
	})

	It("are all counted while another process holds the lock, in bounded memory", func() {
		host := record.Host("", unnamed)
		release := r.lock()
		for range 100_000 {
			host.Observe(call("log"))
		}
		release()
		record.Close()

		calls := 0
		for _, entry := range r.entries() {
			calls += entry.Count()
		}
		Expect(calls).To(Equal(100_000))
		Expect(len(r.entries())).To(BeNumerically("<", 1000))
	})
})
