package main

import "slices"

// quantile returns the value that a part of the values stays under.
func quantile(values []float64, part float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	at := part * float64(len(sorted)-1)
	below := int(at)
	above := min(below+1, len(sorted)-1)
	return sorted[below] + (at-float64(below))*(sorted[above]-sorted[below])
}

func median(values []float64) float64 { return quantile(values, 0.5) }

// spread is half of the distance between the quartiles: half of the values lie
// about that near to the median.
func spread(values []float64) float64 {
	return (quantile(values, 0.75) - quantile(values, 0.25)) / 2
}
