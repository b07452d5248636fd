package config

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// nanoseconds reads a duration of Go ("45s", "1m30s") or a number of seconds.
func nanoseconds(text string) (int64, bool) {
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		return whole(seconds * float64(time.Second))
	}
	duration, err := time.ParseDuration(text)
	return int64(duration), err == nil
}

// wholeNumber reads a whole number.
func wholeNumber(text string) (int64, bool) {
	number, err := strconv.ParseInt(text, 10, 64)
	return number, err == nil
}

// sizeUnits are the units of sizes. A unit comes before the units that it ends with.
var sizeUnits = []struct {
	suffix string
	bytes  float64
}{
	{"KiB", 1 << 10},
	{"MiB", 1 << 20},
	{"KB", 1e3},
	{"MB", 1e6},
	{"B", 1},
}

// bytesOf reads a number of bytes, or a number with a unit: "10MiB".
func bytesOf(text string) (int64, bool) {
	factor := 1.0
	for _, unit := range sizeUnits {
		if number, ok := strings.CutSuffix(text, unit.suffix); ok {
			text, factor = strings.TrimRight(number, " "), unit.bytes
			break
		}
	}
	number, err := strconv.ParseFloat(text, 64)
	if err != nil || number*factor != math.Trunc(number*factor) {
		return 0, false
	}
	return whole(number * factor)
}

// whole returns the number without its fraction, if it fits into an int64. In Go
// the conversion of a number that does not fit depends on the machine.
func whole(number float64) (int64, bool) {
	if math.IsNaN(number) || math.Abs(number) >= math.MaxInt64 {
		return 0, false
	}
	return int64(number), true
}
