// Package chart draws figures over time as SVG within HTML: bars for use, lines for latency. Whatever a
// drawing says, its caption or a table says in words too.
package chart
