package results_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// topicPath is the help topic with the tables.
var topicPath = filepath.Join("..", "..", "..", "cmd", "mcp-workbench", "help", "results.md")

// The tables begin after a line of the topic and end at its next line that is neither in a table nor empty.
const (
	hostsLine = "\nThe twenty tasks at each host:\n\n"
	tasksLine = "\nThe tokens of each task at Codex, in parentheses where the model does not find the answer:\n\n"
)

// writeTables writes the tables of the help topic.
func writeTables(runs []measured, sums map[*conversation]int) {
	GinkgoHelper()
	topic, err := os.ReadFile(topicPath)
	Expect(err).NotTo(HaveOccurred())
	text := withTable(string(topic), hostsLine, tableOfHosts(runs, sums))
	text = withTable(text, tasksLine, tableOfTasks(runs, sums))
	Expect(os.WriteFile(topicPath, []byte(text), 0o600)).To(Succeed())
}

// withTable replaces the table after a line.
func withTable(text, line, table string) string {
	GinkgoHelper()
	before, after, found := strings.Cut(text, line)
	Expect(found).To(BeTrue(), "the topic has no line %s", line)
	for strings.HasPrefix(after, "|") {
		_, after, _ = strings.Cut(after, "\n")
	}
	return before + line + table + after
}

// tableOfHosts returns a table with a row for each host: how many answers are reached, and the tokens for each task.
// Tokens are compared over the tasks that whole results solve and whose result the workbench cuts.
func tableOfHosts(runs []measured, sums map[*conversation]int) string {
	var table strings.Builder
	table.WriteString("| Host | whole | tokens | fit | tokens | of whole | select | tokens | of whole |\n" +
		"|------|------:|-------:|----:|-------:|---------:|-------:|-------:|---------:|\n")
	row := func(name string, whole []*conversation, m measured) {
		var reached []*conversation
		for _, c := range whole {
			if c.found {
				reached = append(reached, c)
			}
		}
		compared, fitting, selecting := m.compared(whole)
		fmt.Fprintf(&table, "| %s | %d | %s | %d | %s | %s | %d | %s | %s |\n", name,
			len(reached), average(reached, sums),
			answers(m.fitting), average(m.fitting, sums), percent(fitting, compared, sums),
			answers(m.selecting), average(m.selecting, sums), percent(selecting, compared, sums))
	}
	for _, m := range runs {
		row(m.host.name, m.whole, m)
		if m.host.file {
			row(m.host.name+", file searched", m.searching, m)
		}
	}
	return table.String()
}

// tableOfTasks returns a table with a row for each task at the first host, and its tokens without a cut.
func tableOfTasks(runs []measured, sums map[*conversation]int) string {
	var table strings.Builder
	table.WriteString("| Task | no cut | whole | fit | select |\n|------|-------:|------:|----:|-------:|\n")
	first, uncut := runs[0], runs[len(runs)-1]
	for i, t := range tasks {
		fmt.Fprintf(&table, "| %s (%s) | %s | %s | %s | %s |\n", t.question, t.server,
			tokensOf(uncut.whole[i], sums), tokensOf(first.whole[i], sums), tokensOf(first.fitting[i], sums), tokensOf(first.selecting[i], sums))
	}
	fmt.Fprintf(&table, "| all small results (%d calls, %d toolboxes) | | %d | %d | |\n",
		len(smallResults), len(toolboxes), sums[first.small], sums[first.smallFitting])
	return table.String()
}

func tokensOf(c *conversation, sums map[*conversation]int) string {
	if c.found {
		return fmt.Sprint(sums[c])
	}
	return fmt.Sprintf("(%d)", sums[c])
}

func answers(list []*conversation) int {
	found := 0
	for _, c := range list {
		if c.found {
			found++
		}
	}
	return found
}

// sum returns the tokens of all conversations.
func sum(list []*conversation, sums map[*conversation]int) int {
	total := 0
	for _, c := range list {
		total += sums[c]
	}
	return total
}

func average(list []*conversation, sums map[*conversation]int) string {
	if len(list) == 0 {
		return "-"
	}
	return fmt.Sprint(sum(list, sums) / len(list))
}

func percent(part, whole []*conversation, sums map[*conversation]int) string {
	if len(whole) == 0 {
		return "-"
	}
	const hundred = 100
	return fmt.Sprintf("%d %%", (hundred*sum(part, sums)+sum(whole, sums)/2)/sum(whole, sums))
}
