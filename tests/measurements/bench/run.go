package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"time"
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
	return slices.Concat(startExperiments(), callExperiments(), loadExperiments(), memoryExperiments(), httpExperiments(), scaleExperiments())
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
