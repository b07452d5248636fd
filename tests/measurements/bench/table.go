package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// writeTable prints one line for each figure, and below them the figures that could not be
// measured, with the reasons.
func writeTable(out io.Writer, results []*result) {
	lines := [][]string{{"figure", "direct", "relay", "workbench", "noise", "ratio", "to", "required"}}
	var notes []string
	for _, r := range results {
		lines = append(lines, r.cells())
		if r.skipped != "" {
			notes = append(notes, r.name+": "+r.skipped)
		}
		for _, row := range slices.Sorted(maps.Keys(r.broken)) {
			notes = append(notes, fmt.Sprintf("%s, %v: BROKEN: %v", r.name, row, r.broken[row]))
		}
	}
	widths := make([]int, len(lines[0]))
	for _, line := range lines {
		for i, cell := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, line := range lines {
		var text strings.Builder
		for i, cell := range line {
			space := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i == 0 {
				text.WriteString(cell + space)
			} else {
				text.WriteString("  " + space + cell)
			}
		}
		fmt.Fprintln(out, strings.TrimRight(text.String(), " "))
	}
	if len(notes) > 0 {
		fmt.Fprintln(out)
	}
	for _, note := range notes {
		fmt.Fprintln(out, note)
	}
}

func (r *result) cells() []string {
	value := func(which row) string {
		if r.broken[which] != nil {
			return "broken"
		}
		if s := r.row(which); s != nil {
			return r.unit.format(s.Median)
		}
		return "-"
	}
	to := "-"
	if r.against != none {
		to = r.against.String()
	}
	return []string{
		r.name, value(direct), value(relay), value(workbench),
		formatRatio(r.noise()), formatRatio(r.ratio()), to,
		r.formatBound(),
	}
}

func formatRatio(s *summary) string {
	if s == nil {
		return "-"
	}
	return fmt.Sprintf("%.2f ±%.2f", s.Median, s.Spread)
}

// formatBound shows the required bound and whether it is met.
func (r *result) formatBound() string {
	if r.required == 0 {
		return ""
	}
	text, judged := fmt.Sprintf("≤ %.4g", r.required), r.ratio()
	if r.against == none {
		text, judged = "≤ "+r.unit.format(r.required), r.row(workbench)
	}
	switch {
	case judged == nil:
		return text
	case judged.Median <= r.required:
		return text + " ok"
	default:
		return text + " over"
	}
}

// anyBroken reports whether a row failed in any of the results.
func anyBroken(results []*result) bool {
	return slices.ContainsFunc(results, func(r *result) bool { return len(r.broken) > 0 })
}
