package figures_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/observe/figures"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

func TestFigures(t *testing.T) { spec.Run(t, "Figures") }

func histogram(durations ...time.Duration) *figures.Histogram {
	counted := &figures.Histogram{}
	for _, duration := range durations {
		counted.Add(duration)
	}
	return counted
}

var _ = Describe("Calls", func() {
	It("are counted by each outcome", func() {
		calls := &figures.Calls{}
		for _, outcome := range domain.Outcomes() {
			calls.Count(outcome)
			Expect(calls.Of(outcome)).To(Equal(int64(1)))
		}
		Expect(calls.Total()).To(Equal(int64(len(domain.Outcomes()))))
	})
})

var _ = Describe("The durations of a histogram", func() {
	It("are at most a tenth too high, and never too low", func() {
		random := rand.New(rand.NewPCG(1, 2))
		for range 200 {
			times := make([]time.Duration, 1+random.IntN(100))
			for i := range times {
				times[i] = time.Duration(random.Int64N(1 << random.IntN(40)))
			}
			found := histogram(times...).Percentiles()
			slices.Sort(times)
			for percent, shown := range map[int]time.Duration{50: found.P50, 95: found.P95} {
				exact := times[(percent*len(times)+99)/100-1]
				Expect(shown).To(And(BeNumerically(">=", exact), BeNumerically("<=", exact+exact/10+time.Microsecond)), fmt.Sprint(times))
			}
		}
	})

	It("may be 0, negative after a jump of the clock, or endless", func() {
		Expect(histogram().Percentiles()).To(BeZero())
		Expect(histogram(0, -time.Hour).Percentiles()).To(And(HaveField("P50", time.Microsecond), HaveField("P95", time.Microsecond)))
		Expect(histogram(1 << 62).Percentiles().P50).To(BeNumerically(">", 15*time.Minute))
	})

	It("are in the bucket whose limit they do not exceed", func() {
		limits := []time.Duration{5 * time.Millisecond, 2500 * time.Millisecond, 2 * time.Minute}
		counted := histogram(0, 5*time.Millisecond, 5*time.Millisecond+1, 2500*time.Millisecond, 2*time.Minute, 2*time.Minute+time.Nanosecond, time.Hour)
		Expect(counted.Buckets(limits)).To(Equal([]int{2, 2, 1, 2}))
	})
})

var _ = Describe("Series", func() {
	It("have values for a bounded number of keys", func() {
		series := figures.Series[string, int]{}
		for _, key := range []string{"a", "b", "c", "a", "d"} {
			*series.At(key, "rest", 2)++
		}
		two, one := 2, 1
		Expect(series.All()).To(Equal(map[string]*int{"a": &two, "b": &one, "rest": &two}))
		Expect(series.Find("c")).To(BeNil())
	})
})
