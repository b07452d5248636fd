package results_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

// measured are the conversations of one host, by the number of the task.
type measured struct {
	host host
	// whole uses whole results, fitting results that fit without select in calls, and selecting with a select in each call.
	whole, fitting, selecting []*conversation
	// searching is whole, followed by a search in the host's file that finds the answer at once; only for hosts with a file.
	searching []*conversation
	// small and smallFitting are one conversation with every toolbox and every small result.
	small, smallFitting *conversation
}

// measureAll has every conversation of hosts.
func measureAll(hosts ...host) []measured {
	GinkgoHelper()
	recordings := readRecordings()
	runs := make([]measured, 0, len(hosts))
	for _, h := range hosts {
		runs = append(runs, measure(h, recordings))
	}
	return runs
}

// measure has every conversation of a host.
func measure(h host, recordings map[string]recording) measured {
	GinkgoHelper()
	m := measured{host: h}
	whole := connect(h, "whole", recordings)
	for _, t := range tasks {
		m.whole = append(m.whole, whole.use(t, recordings, "", nil))
	}
	fit := connect(h, "fit", recordings)
	for _, t := range tasks {
		m.fitting = append(m.fitting, fit.use(t, recordings, "", t.looks))
		m.selecting = append(m.selecting, fit.use(t, recordings, t.selects, t.selectLooks))
	}
	if h.file {
		for i, c := range m.whole {
			m.searching = append(m.searching, c.searchInFile(tasks[i], m.selecting[i]))
		}
	}
	m.small, m.smallFitting = whole.useSmall(recordings), fit.useSmall(recordings)
	whole.w.End()
	fit.w.End()
	return m
}

// compared returns the conversations with whole results that reach the answer, for tasks whose result is cut to
// fit, and those of the same tasks with results that fit.
func (m measured) compared(whole []*conversation) (reached, fitting, selecting []*conversation) {
	for i, c := range whole {
		if c.found && m.fitting[i].cut {
			reached, fitting, selecting = append(reached, c), append(fitting, m.fitting[i]), append(selecting, m.selecting[i])
		}
	}
	return reached, fitting, selecting
}

// counter counts the tokens of texts.
type counter func(texts []string) []int

// estimates counts four bytes as a token, like Codex.
func estimates(texts []string) []int {
	const bytesPerToken = 4
	counts := make([]int, len(texts))
	for i, text := range texts {
		counts[i] = len(text) / bytesPerToken
	}
	return counts
}

// npmFolder is the folder of the tokenizer.
var npmFolder = filepath.Join("..", "..", "npm")

// tokenCounts counts with the tokenizer.
func tokenCounts(texts []string) []int {
	GinkgoHelper()
	var lines bytes.Buffer
	for _, text := range texts {
		Expect(json.NewEncoder(&lines).Encode(text)).To(Succeed())
	}
	command := exec.Command("node", "count.mjs")
	command.Dir, command.Stdin, command.Stderr = npmFolder, &lines, GinkgoWriter
	output := spec.Must(command.Output())
	counts := make([]int, 0, len(texts))
	for line := range strings.Lines(string(output)) {
		count := spec.Must(strconv.Atoi(strings.TrimSpace(line)))
		counts = append(counts, count)
	}
	Expect(counts).To(HaveLen(len(texts)))
	return counts
}

// tokens returns the number of tokens of conversations. Each text is counted once.
func tokens(count counter, runs []measured) map[*conversation]int {
	GinkgoHelper()
	places := map[string]int{}
	var texts []string
	var conversations []*conversation
	for _, m := range runs {
		conversations = slices.Concat(conversations, m.whole, m.fitting, m.selecting, m.searching, []*conversation{m.small, m.smallFitting})
	}
	for _, c := range conversations {
		for _, text := range c.shown {
			if _, seen := places[text]; !seen {
				places[text] = len(texts)
				texts = append(texts, text)
			}
		}
	}
	counts := count(texts)
	sums := map[*conversation]int{}
	for _, c := range conversations {
		if _, summed := sums[c]; summed {
			continue // no search in a file was needed
		}
		for _, text := range c.shown {
			sums[c] += counts[places[text]]
		}
	}
	return sums
}

// host describes how a host cuts results.
type host struct {
	name string
	// client is its name in its clientInfo.
	client string
	// cut returns the part of a text that its model is shown.
	cut func(text string) string
	// file is set if the host stores the whole text in a file that its model may search with other tools.
	file bool
}

// hosts are the hosts in the topic hosts, which has the source of each limit.
var hosts = []host{
	{name: "Codex", client: "codex-mcp-client", cut: withoutMiddleOfJSON(20_000)},
	{name: "Gemini CLI", client: "gemini-cli-mcp-client", cut: withoutMiddle(8_000, 32_000)},
	{name: "opencode", client: "opencode", cut: withoutEnd(50 << 10)},
	{name: "Claude Code", client: "claude-code", cut: preview(50_000, 2_000), file: true},
	{name: "Copilot CLI", client: "copilot-cli", cut: preview(20<<10, 500), file: true},
	{name: "Qwen Code", client: "qwen-cli-mcp-client-workbench", cut: preview(28_000, 2_000), file: true},
	{name: "no cut", client: "continue-cli-client", cut: func(text string) string { return text }},
}

// withoutMiddle keeps the first and the last bytes.
func withoutMiddle(first, last int) func(string) string {
	return func(text string) string {
		if len(text) <= first+last {
			return text
		}
		return strings.ToValidUTF8(text[:first], "") + "\n… truncated …\n" + strings.ToValidUTF8(text[len(text)-last:], "")
	}
}

// withoutMiddleOfJSON keeps the beginning and the end with so many bytes of JSON each.
func withoutMiddleOfJSON(half int) func(string) string {
	return func(text string) string {
		if len(Quote(text)) <= 2*half {
			return text
		}
		first, last := 0, len(text)
		for size := 0; size < half && first < last; first++ {
			size += len(Quote(text[first:first+1])) - len(`""`)
		}
		for size := 0; size < half && last > first; last-- {
			size += len(Quote(text[last-1:last])) - len(`""`)
		}
		return strings.ToValidUTF8(text[:first], "") + "\n… truncated …\n" + strings.ToValidUTF8(text[last:], "")
	}
}

// withoutEnd keeps the whole lines that fit.
func withoutEnd(limit int) func(string) string {
	return func(text string) string {
		if len(text) <= limit {
			return text
		}
		line := strings.LastIndexByte(text[:limit], '\n')
		return text[:max(line, 0)] + "\n… truncated …"
	}
}

// preview keeps the first characters of a text that is stored in a file.
func preview(limit, shown int) func(string) string {
	return func(text string) string {
		if utf8.RuneCountInString(text) <= limit {
			return text
		}
		return strings.ToValidUTF8(text[:shown], "") + "\nThe output was too large. It was saved to /tmp/tool-results/mcp-workbench-use_tool-1.txt"
	}
}

// recording has the tools and answers of a published server.
type recording struct {
	// Package is its package and version.
	Package, Instructions string
	Tools                 []json.RawMessage
	Results               []recorded
}

// recorded is one call and its result.
type recorded struct {
	Tool              string
	Arguments, Result json.RawMessage
}

// readRecordings returns the recordings by the name of the server.
func readRecordings() map[string]recording {
	GinkgoHelper()
	paths := spec.Must(filepath.Glob(filepath.Join("recordings", "*.json.gz")))
	recordings := map[string]recording{}
	for _, path := range paths {
		file := spec.Must(os.Open(path))
		text, err := gzip.NewReader(file)
		Expect(err).NotTo(HaveOccurred(), path)
		var r recording
		Expect(json.NewDecoder(text).Decode(&r)).To(Succeed(), path)
		Expect(file.Close()).To(Succeed())
		recordings[strings.TrimSuffix(filepath.Base(path), ".json.gz")] = r
	}
	return recordings
}

// server returns a server that plays the recording.
func (r recording) server(name string) Server {
	GinkgoHelper()
	s := script.Script{Instructions: r.Instructions}
	for _, definition := range r.Tools {
		s.Tools = append(s.Tools, string(definition))
	}
	for _, call := range r.Results {
		s.Rules = append(s.Rules, script.Rule{
			Method: "tools/call", Tool: call.Tool, Params: `"arguments":` + string(call.Arguments),
			Do: []script.Step{{Result: string(call.Result)}},
		})
	}
	return Scripted(name, s)
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
