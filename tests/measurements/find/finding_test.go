package find_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain/finding"
)

// figures are the shares of wanted tools that are the first, among the first five and among the first eight,
// and the mean of 1/rank.
type figures struct{ first, five, eight, reciprocal float64 }

// ranks returns the rank of each tool that a text finds, by name; the best is 1.
type ranks func(text string) map[string]int

func newRanks(tools []finding.Tool, names []string) ranks {
	index := finding.NewIndex(tools)
	return func(text string) map[string]int {
		ranked := map[string]int{}
		for rank, match := range index.Search(text, len(tools)) {
			if ranked[names[match.Tool]] == 0 {
				ranked[names[match.Tool]] = rank + 1
			}
		}
		return ranked
	}
}

// everywhere ranks all tools of a set.
func (s *questionSet) everywhere() func(string) ranks {
	ranked := newRanks(s.tools, s.names)
	return func(string) ranks { return ranked }
}

// insideServers ranks the tools of the server that has the tool.
func (s *questionSet) insideServers() func(string) ranks {
	tools, names := map[string][]finding.Tool{}, map[string][]string{}
	for i, name := range s.names {
		server, _, _ := strings.Cut(name, "/")
		tools[server], names[server] = append(tools[server], s.tools[i]), append(names[server], name)
	}
	inside := map[string]ranks{}
	for server := range tools {
		inside[server] = newRanks(tools[server], names[server])
	}
	return func(tool string) ranks {
		server, _, _ := strings.Cut(tool, "/")
		return inside[server]
	}
}

// best returns the best rank of any of the tools for any of the texts, 0 if none is found.
func best(asked question, tools []string, of func(tool string) ranks) int {
	best := 0
	for _, tool := range tools {
		for _, text := range asked.texts {
			if rank := of(tool)(text)[tool]; rank > 0 && (best == 0 || rank < best) {
				best = rank
			}
		}
	}
	return best
}

// measure returns the figures of a set.
func (s *questionSet) measure(of func(tool string) ranks) (sum figures) {
	total := 0.0
	for _, asked := range s.questions {
		part := 1.0
		if s.byQuestion {
			part /= float64(len(asked.wanted))
		}
		for _, tools := range asked.wanted {
			total += part
			rank := best(asked, tools, of)
			if rank == 0 {
				continue
			}
			sum.reciprocal += part / float64(rank)
			for most, figure := range map[int]*float64{1: &sum.first, 5: &sum.five, 8: &sum.eight} {
				if rank <= most {
					*figure += part
				}
			}
		}
	}
	for _, figure := range []*float64{&sum.first, &sum.five, &sum.eight, &sum.reciprocal} {
		*figure /= total
	}
	return sum
}

// topicPath is the help topic with the table, which begins after tableLine.
var topicPath = filepath.Join("..", "..", "..", "cmd", "mcp-workbench", "help", "finding.md")

const tableLine = "\nWhat is found, by `make find`:\n\n"

var _ = Describe("Finding tools by words", func() {
	It("reaches its goals over every set of questions, with the figures in the topic", func() {
		var table strings.Builder
		table.WriteString("| Questions | Tools | first | in five | in eight | 1/rank |\n|---|---:|---:|---:|---:|---:|\n")
		row := func(name string, tools int, f figures) {
			fmt.Fprintf(&table, "| %s | %d | %.2f | %.2f | %.2f | %.2f |\n", name, tools, f.first, f.five, f.eight, f.reciprocal)
		}
		goals := []struct {
			set           questionSet
			eight, inside float64
		}{{gradedQueries(), 0.85, 0.85}, {annotatedTasks(), 0.72, 0.80}, {ownQueries(), 0.90, 0.90}, {heldOutQueries(), 0, 0}}
		for _, goal := range goals {
			set := goal.set
			for _, asked := range set.questions {
				for _, tool := range slices.Concat(asked.wanted...) {
					Expect(set.names).To(ContainElement(tool))
				}
			}
			everywhere, inside := set.measure(set.everywhere()), set.measure(set.insideServers())
			row(set.name, len(set.tools), everywhere)
			row(set.name+", inside the right server", len(set.tools), inside)
			Expect(everywhere.eight).To(BeNumerically(">=", goal.eight), set.name)
			Expect(inside.eight).To(BeNumerically(">=", goal.inside), set.name)
		}

		GinkgoWriter.Println(table.String())
		topic, err := os.ReadFile(topicPath)
		Expect(err).NotTo(HaveOccurred())
		before, after, found := strings.Cut(string(topic), tableLine)
		Expect(found).To(BeTrue())
		if os.Getenv("WORKBENCH_WRITE_FIND") == "" {
			Expect(after).To(HavePrefix(table.String()), "make find writes the table again")
			return
		}
		for strings.HasPrefix(after, "|") {
			_, after, _ = strings.Cut(after, "\n")
		}
		Expect(os.WriteFile(topicPath, []byte(before+tableLine+table.String()+after), 0o600)).To(Succeed())
	})
})
