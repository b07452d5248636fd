package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"mcp-workbench/adapters/lockfile"
	"mcp-workbench/domain"
)

// lockReport is what the command lock prints. Text from servers is quoted, so that no
// character is hidden or controls the terminal.
type lockReport struct {
	found            domain.LockComparison
	path             string
	written, checked bool
}

func (r lockReport) print(out io.Writer) error {
	var lines []string
	// A first lock consists of additions only, which the file itself shows.
	if r.found.Lock != nil {
		for _, difference := range r.found.Differences {
			lines = append(lines, describeDifference(difference)...)
		}
	}
	for _, tool := range r.found.Revealing {
		lines = append(lines, fmt.Sprintf("warning: %s has a value of the environment or of \"env\" in its definition, and so has the lock",
			toolPath(tool)))
	}
	for _, server := range r.found.Unreachable {
		lines = append(lines, fmt.Sprintf("unreachable: %s / %s: %s", server.ID.Toolbox, server.ID.Server, domain.Reason(server.Failure)))
	}
	lines = append(lines, r.path+": "+r.conclusion())
	for _, line := range lines {
		if _, err := fmt.Fprintln(out, line); err != nil {
			return fmt.Errorf("write the report: %w", err)
		}
	}
	return nil
}

// conclusion returns the last line, without the path of the lock.
func (r lockReport) conclusion() string {
	tools := fmt.Sprintf("(tools: %d)", r.found.Tools())
	switch {
	case r.written:
		return "written " + tools
	case r.found.Broken != nil:
		reason := r.found.Broken.Error()
		return "cannot be used: " + strings.TrimPrefix(reason, r.path+": ") + "; lock --update writes it again"
	case r.found.Lock == nil:
		return "no such file; lock writes it " + tools
	case len(r.found.Differences) == 0:
		return "up to date " + tools
	}
	counts := r.counts()
	if r.checked {
		return counts
	}
	return counts + "; nothing was written, lock --update accepts this"
}

// counts returns how many tools changed, were added and were removed.
func (r lockReport) counts() string {
	count := map[string]int{}
	for _, difference := range r.found.Differences {
		count[kindOf(difference)]++
	}
	var parts []string
	for _, kind := range []string{changed, added, removed} {
		if count[kind] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count[kind], kind))
		}
	}
	return strings.Join(parts, ", ")
}

const (
	changed = "changed"
	added   = "added"
	removed = "removed"
)

func kindOf(difference domain.Difference) string {
	switch {
	case difference.Locked == nil:
		return added
	case difference.Live == nil:
		return removed
	}
	return changed
}

func toolPath(tool domain.ToolIdentifier) string {
	return fmt.Sprintf("%s / %s / %s", tool.Toolbox, tool.Server, printable(tool.Tool))
}

// describeDifference returns a line for a tool and, when its definition changed, each
// place with what was there before and what is there now.
func describeDifference(difference domain.Difference) []string {
	lines := []string{kindOf(difference) + ": " + toolPath(difference.Tool)}
	var before, after domain.Pin
	switch kindOf(difference) {
	case removed:
		return lines
	case added:
		after = *difference.Live
	default:
		before, after = *difference.Locked, *difference.Live
	}
	for _, change := range lockfile.NewDefinitions().Changes(before, after) {
		if change.Path == "name" {
			continue
		}
		lines = append(lines, "    "+printable(change.Path))
		was, is := differingLines(linesOf(change.Before), linesOf(change.After))
		for _, line := range was {
			lines = append(lines, "      - "+line)
		}
		for _, line := range is {
			lines = append(lines, "      + "+line)
		}
	}
	return lines
}

// linesOf returns a JSON value as lines that can be printed: texts line by line.
func linesOf(value json.RawMessage) []string {
	if value == nil {
		return nil
	}
	var text string
	if value[0] != '"' || json.Unmarshal(value, &text) != nil {
		return []string{printable(string(value))}
	}
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		lines = append(lines, strconv.Quote(line))
	}
	return lines
}

// differingLines returns the lines without those that are equal at the beginning and
// at the end.
func differingLines(a, b []string) (onlyA, onlyB []string) {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return a, b
}

// printable returns text unchanged when all of it is visible, otherwise quoted.
func printable(text string) string {
	if slices.ContainsFunc([]rune(text), func(r rune) bool { return !strconv.IsPrint(r) }) {
		return strconv.Quote(text)
	}
	return text
}
