package results_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

const (
	// most is the largest share of the tokens with whole results that the tasks with cut results may take together, and
	// with select each task. mostEstimated is the same without select by an estimate, which counts less for numbers.
	most, mostEstimated = 0.35, 0.40
	// mostMore is the largest share that results that fit may add to a conversation where every result is small.
	mostMore = 0.03
)

var _ = Describe("Twenty tasks over long results of published servers", func() {
	It("reach the answer with results that fit, with and without select, and take few tokens", func() {
		runs := measureAll(hosts[0], hosts[len(hosts)-1])

		expectAnswers(runs)
		expectGoals(runs, tokens(estimated, runs), mostEstimated)
	})

	// With the race detector, seven hosts take minutes.
	It("do so at every host, as counted by a tokenizer", Label("npm"), SpecTimeout(10*time.Minute), func() {
		if _, err := exec.LookPath("node"); err != nil {
			Skip("Node is not here")
		}
		if _, err := os.Stat(filepath.Join(npmFolder, "node_modules", "gpt-tokenizer")); err != nil {
			Skip("the tokenizer is not installed: run make npm")
		}
		runs := measureAll(hosts...)
		sums := tokens(tokenized, runs)
		if os.Getenv("WORKBENCH_WRITE_RESULTS") == "1" {
			writeTables(runs, sums)
		}

		expectAnswers(runs)
		expectGoals(runs, sums, most)
	})
})

func expectAnswers(runs []measured) {
	GinkgoHelper()
	Expect(tasks).To(HaveLen(20))
	for _, m := range runs {
		for i, t := range tasks {
			Expect(m.fitting[i].found).To(BeTrue(), "%s: %s: after %.3000s", m.host.name, t.question, m.fitting[i].last())
			Expect(m.selecting[i].found).To(BeTrue(), "%s with select: %s: after %.3000s", m.host.name, t.question, m.selecting[i].last())
		}
	}
}

func expectGoals(runs []measured, sums map[*conversation]int, mostFitting float64) {
	GinkgoHelper()
	for _, m := range runs {
		whole, fitting, _ := m.compared(m.whole)
		Expect(sum(fitting, sums)).To(BeNumerically("<=", mostFitting*float64(sum(whole, sums))), m.host.name)
		for i, t := range tasks {
			if whole := m.whole[i]; whole.found {
				if !m.fitting[i].cut {
					Expect(sums[m.fitting[i]]).To(BeNumerically("<=", (1+mostMore)*float64(sums[whole])), "%s: %s", m.host.name, t.question)
				}
				Expect(sums[m.selecting[i]]).To(BeNumerically("<=", most*float64(sums[whole])), "%s: %s", m.host.name, t.question)
			}
		}
		Expect(sums[m.smallFitting]).To(BeNumerically("<=", (1+mostMore)*float64(sums[m.small])), "%s: small results", m.host.name)
	}
}
