package report

import (
	"fmt"
	"strconv"
	"time"
)

// age returns a duration in its largest unit.
func age(passed time.Duration) string {
	switch passed = max(passed, 0); {
	case passed < time.Minute:
		return fmt.Sprintf("%ds", passed/time.Second)
	case passed < time.Hour:
		return fmt.Sprintf("%dm", passed/time.Minute)
	case passed < 48*time.Hour:
		return fmt.Sprintf("%dh", passed/time.Hour)
	}
	return fmt.Sprintf("%dd", passed/(24*time.Hour))
}

// size returns a number of bytes in MiB, "-" if it is not known.
func size(bytes *int64) string {
	const mebibyte = 1 << 20
	switch {
	case bytes == nil:
		return "-"
	case *bytes < 10*mebibyte:
		return fmt.Sprintf("%.1f MiB", float64(*bytes)/mebibyte)
	}
	return fmt.Sprintf("%d MiB", *bytes/mebibyte)
}

// latency returns two percentiles as one text, "-" without calls.
func latency(p50, p95 *float64) string {
	if p50 == nil || p95 == nil {
		return "-"
	}
	return milliseconds(*p50) + "/" + milliseconds(*p95) + " ms"
}

func milliseconds(time float64) string {
	if time < 10 {
		return strconv.FormatFloat(time, 'f', 1, 64)
	}
	return strconv.FormatFloat(time, 'f', 0, 64)
}
