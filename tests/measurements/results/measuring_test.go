package results_test

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
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

// estimated counts four bytes as a token, like Codex.
func estimated(texts []string) []int {
	const bytesPerToken = 4
	counts := make([]int, len(texts))
	for i, text := range texts {
		counts[i] = len(text) / bytesPerToken
	}
	return counts
}

// npmFolder is the folder of the tokenizer.
var npmFolder = filepath.Join("..", "..", "npm")

// tokenized counts with the tokenizer.
func tokenized(texts []string) []int {
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
