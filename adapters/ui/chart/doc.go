// Package chart draws figures over time as SVG within HTML: bars for use, lines for latency. Callers also give
// the information of each drawing as text, in its label or a table.
package chart
