package main

import (
	"context"
	"fmt"
	"math"
	"time"
)

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
