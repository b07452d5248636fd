package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// plan is a run of the benchmark.
type plan struct {
	rows     []row
	rounds   int
	figures  *regexp.Regexp
	progress io.Writer
}

// result is the measurement of one figure.
type result struct {
	figure
	samples map[row][]float64 // one for each round; NaN if nothing could be measured
	skipped string            // why there are no samples
	broken  map[row]error     // rows that failed
}

// experiments lists everything in the order of the table.
func experiments() []experiment {
	return slices.Concat(startExperiments(), callExperiments(), shellExperiments(), loadExperiments(), memoryExperiments(), scaleExperiments())
}

// carryOut runs every experiment with a wanted figure.
func (p plan) carryOut(ctx context.Context, l *lab) ([]*result, error) {
	var results []*result
	for _, e := range experiments() {
		wanted := func(f figure) bool { return p.figures.MatchString(f.name) }
		if !slices.ContainsFunc(e.figures, wanted) {
			continue
		}
		fmt.Fprintf(p.progress, "%s …", e.figures[0].name)
		begin := time.Now()
		for _, r := range p.experiment(ctx, l, e) {
			if wanted(r.figure) {
				results = append(results, r)
			}
		}
		fmt.Fprintf(p.progress, " %.1f s\n", time.Since(begin).Seconds())
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// experiment measures every row once in each round. The rows take turns in going
// first, so that none has an advantage.
func (p plan) experiment(ctx context.Context, l *lab, e experiment) []*result {
	results := make([]*result, len(e.figures))
	for i, f := range e.figures {
		results[i] = &result{figure: f, samples: map[row][]float64{}, broken: map[row]error{}}
	}
	rows := slices.DeleteFunc(slices.Clone(e.rows), func(r row) bool { return !slices.Contains(p.rows, r) })
	for round := range e.count(p.rounds) {
		for turn := range rows {
			r := rows[(round+turn)%len(rows)]
			if results[0].broken[r] != nil || ctx.Err() != nil {
				continue
			}
			values, err := e.run(ctx, l, r)
			switch {
			case errors.Is(err, errors.ErrUnsupported):
				results[0].skipped = "not possible here: " + err.Error()
				return results
			case err != nil:
				results[0].broken[r] = err
			}
			for i := range results {
				value := math.NaN()
				if err == nil {
					value = values[i]
				}
				results[i].samples[r] = append(results[i].samples[r], value)
			}
		}
	}
	return results
}

// count returns how many of the requested rounds an experiment takes.
func (e experiment) count(rounds int) int {
	switch e.share {
	case half:
		return (rounds + 1) / 2
	case once:
		return 1
	default:
		return rounds
	}
}

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

// summary is a median over the rounds and their spread.
type summary struct {
	Median float64
	Spread float64 // half of the distance between the quartiles
}

// summarize returns nil for no samples, and for samples with a gap.
func summarize(samples []float64) *summary {
	if len(samples) == 0 || slices.ContainsFunc(samples, math.IsNaN) {
		return nil
	}
	return &summary{Median: median(samples), Spread: spread(samples)}
}

// row returns the summary of one row.
func (r *result) row(which row) *summary { return summarize(r.samples[which]) }

// quotient divides one row by another, round by round: a disturbance in a round
// most likely affected both.
func (r *result) quotient(above, below row) *summary {
	a, b := r.samples[above], r.samples[below]
	ratios := make([]float64, min(len(a), len(b)))
	for i := range ratios {
		ratios[i] = a[i] / b[i]
	}
	return summarize(ratios)
}

// noise returns the ratio of the second direct row to the first.
func (r *result) noise() *summary { return r.quotient(again, direct) }

// ratio returns the ratio of the workbench to the row that the figure names.
func (r *result) ratio() *summary {
	if r.against == none {
		return nil
	}
	return r.quotient(workbench, r.against)
}

// quantile returns the value below which a share of the values lies.
func quantile(values []float64, part float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	at := part * float64(len(sorted)-1)
	below := int(at)
	above := min(below+1, len(sorted)-1)
	return sorted[below] + (at-float64(below))*(sorted[above]-sorted[below])
}

func median(values []float64) float64 { return quantile(values, 0.5) }

// spread returns half of the distance between the quartiles: about half of the values are
// within that distance of the median.
func spread(values []float64) float64 {
	return (quantile(values, 0.75) - quantile(values, 0.25)) / 2
}

// figure is one line of the table.
type figure struct {
	name string
	unit unit
	// against is the row to which the ratio of the workbench is computed, or none.
	against row
	// required is the most that the ratio, or else the value, may be; 0 is no bound.
	required float64
}

// experiment measures one or more figures of one row at a time.
type experiment struct {
	figures []figure
	rows    []row
	share   rounds // the share of the rounds that it takes
	// run measures one row once and returns a value for each of the figures.
	run func(ctx context.Context, l *lab, r row) ([]float64, error)
}

// rounds is how often an experiment is repeated.
type rounds int

const (
	full rounds = iota
	half        // takes seconds for each row
	once        // gives the same value each time, or takes long
)

// unit is the unit of a value, which decides how it is shown.
type unit string

const (
	duration unit = "ns"
	rate     unit = "calls/s"
	mebibyte unit = "MiB"
	kibibyte unit = "KiB"
	size     unit = "B"
)

func (u unit) format(value float64) string {
	switch u {
	case duration:
		return formatDuration(time.Duration(value))
	case rate:
		return fmt.Sprintf("%.0f/s", value)
	case times, threads:
		return fmt.Sprintf("%.2f %s", value, string(u))
	case mebibyte:
		return fmt.Sprintf("%.1f MiB", value)
	default:
		return fmt.Sprintf("%.0f %s", value, string(u))
	}
}

// formatDuration shows three digits.
func formatDuration(d time.Duration) string {
	unit, name := time.Second, "s"
	switch {
	case d < time.Millisecond:
		unit, name = time.Microsecond, "µs"
	case d < time.Second:
		unit, name = time.Millisecond, "ms"
	}
	value := float64(d) / float64(unit)
	digits := max(0, 2-int(math.Floor(math.Log10(max(value, 1)))))
	return fmt.Sprintf("%.*f %s", digits, value, name)
}
