package main

import (
	"math"
	"slices"
)

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
