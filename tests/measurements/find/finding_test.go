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

// places are how many of the first lines a figure counts.
var places = []int{1, 3, 5, 8, 10}

// figures are the shares of what is wanted that are among the first lines, for each of the places, and the mean of
// 1/rank.
type figures struct {
	among      []float64
	reciprocal float64
}

// ranking returns the tools that a text finds, the best first.
type ranking func(text string) []int

// shown is the number of lines in an answer of find_tool.
const shown = 8

// ours is the ranking of find_tool: its answer, and then what longer ones have besides.
func ours(tools []finding.Tool) ranking {
	index := finding.NewIndex(tools)
	return func(text string) (found []int) {
		for _, limit := range []int{shown, places[len(places)-1]} {
			for _, match := range index.Search(text, limit).Matches {
				if !slices.Contains(found, match.Tool) {
					found = append(found, match.Tool)
				}
			}
		}
		return found
	}
}

// toolOf and serverOf say what is wanted: a tool, or any tool of its server.
func toolOf(name string) string { return name }

func serverOf(name string) string {
	server, _, _ := strings.Cut(name, "/")
	return server
}

// measure returns the figures of a ranking.
func (s *questionSet) measure(rank ranking, of func(name string) string) figures {
	sum, total := figures{among: make([]float64, len(places))}, 0.0
	for _, asked := range s.questions {
		best := map[string]int{}
		for _, text := range asked.texts {
			for line, tool := range rank(text) {
				if name := of(s.names[tool]); best[name] == 0 || line+1 < best[name] {
					best[name] = line + 1
				}
			}
		}
		part := 1.0
		if s.byQuestion {
			part /= float64(len(asked.wanted))
		}
		for _, tools := range asked.wanted {
			total += part
			least := 0
			for _, tool := range tools {
				if line := best[of(tool)]; line > 0 && (least == 0 || line < least) {
					least = line
				}
			}
			if least == 0 {
				continue
			}
			sum.reciprocal += part / float64(least)
			for i, place := range places {
				if least <= place {
					sum.among[i] += part
				}
			}
		}
	}
	for i := range sum.among {
		sum.among[i] /= total
	}
	sum.reciprocal /= total
	return sum
}

// withAbsentWord returns how many of the questions have a word that no tool of a set has.
func withAbsentWord(set questionSet) (count int) {
	index := finding.NewIndex(set.tools)
	for _, asked := range set.questions {
		if index.Search(asked.texts[0], shown).Absent != nil {
			count++
		}
	}
	return count
}

// row returns a line of the table, which has the figures of two rankings in each cell, in percent.
func row(name, wanted string, a, b figures) string {
	line := fmt.Sprintf("| %s | %s |", name, wanted)
	for i := range a.among {
		line += fmt.Sprintf(" %.0f / %.0f |", 100*a.among[i], 100*b.among[i])
	}
	return line + fmt.Sprintf(" %.0f / %.0f |\n", 100*a.reciprocal, 100*b.reciprocal)
}

// topicPath is the help topic that ends with the table, after tableLine.
var topicPath = filepath.Join("..", "..", "..", "cmd", "mcp-workbench", "help", "finding.md")

const tableLine = "\nWhat is found, by `make find`:\n\n"

var _ = Describe("Finding tools by words", func() {
	It("reaches its goals over every set of questions, with the figures in the topic", func() {
		var table strings.Builder
		table.WriteString("| Questions | Wanted | first | three | five | eight | ten | 1/rank |\n|---|---|---:|---:|---:|---:|---:|---:|\n")
		goals := map[string]float64{"mcpproxy-go": 0.85, "LiveMCPBench": 0.72, "catalogs": 0.90} // in eight
		for _, set := range slices.Concat([]questionSet{gradedQueries(), annotatedTasks(), ownQueries(), heldOutQueries()}, halves()) {
			for _, asked := range set.questions {
				for _, tool := range slices.Concat(asked.wanted...) {
					Expect(set.names).To(ContainElement(tool))
				}
			}
			our, plain := ours(set.tools), plainBM25(set.tools)
			tools := set.measure(our, toolOf)
			table.WriteString(row(set.name, "tool", tools, set.measure(plain, toolOf)))
			table.WriteString(row("", "server", set.measure(our, serverOf), set.measure(plain, serverOf)))
			Expect(tools.among[slices.Index(places, shown)]).To(BeNumerically(">=", goals[set.name]), set.name)
		}

		absent := withAbsentWord(noTool())
		fmt.Fprintf(&table, "\nOf 40 questions that no tool answers %d have a word that no tool has, which the answer names.\n", absent)
		Expect(absent).To(BeNumerically(">=", 32))
		GinkgoWriter.Println(table.String())
		topic, err := os.ReadFile(topicPath)
		Expect(err).NotTo(HaveOccurred())
		before, after, found := strings.Cut(string(topic), tableLine)
		Expect(found).To(BeTrue())
		if os.Getenv("WORKBENCH_WRITE_FIND") == "" {
			Expect(after).To(Equal(table.String()), "make find writes the table again")
			return
		}
		Expect(os.WriteFile(topicPath, []byte(before+tableLine+table.String()), 0o600)).To(Succeed())
	})
})
