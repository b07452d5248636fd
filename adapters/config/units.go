package config

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// unit reads values of one kind: durations in nanoseconds, sizes in bytes, or plain numbers.
type unit struct {
	// read reads the text in the file.
	read func(text string) (int64, bool)
	// pattern matches texts with a unit, and kind is the type of numbers without one, each of which is worth each.
	pattern, kind string
	each          float64
}

// Patterns of numbers in strings.
const (
	numberText   = `[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)`
	durationText = `^[+-]?(([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)?)+$`
)

var (
	durations = &unit{nanoseconds, durationText, "number", float64(time.Second)}
	sizes     = &unit{bytesOf, `^` + numberText + ` *(B|KB|MB|KiB|MiB)?$`, "integer", 1}
	numbers   = &unit{wholeNumber, `^[+-]?[0-9]+$`, "integer", 1}
)

// bounds are those of a number, and what is wanted in place of a value that is out of bounds.
type bounds struct {
	*unit
	min, max int64
	wanted   string
}

// boundsOf returns the bounds that the tag of a field says, nil if it says none. Without "to" there is no maximum.
func boundsOf(field reflect.StructField) *bounds {
	from, hasFrom := field.Tag.Lookup("from")
	to, hasTo := field.Tag.Lookup("to")
	if !hasFrom && !hasTo {
		return nil
	}
	bounds := bounds{unit: numbers, max: math.MaxInt64, wanted: fmt.Sprintf("a whole number from %s to %s", from, to)}
	switch {
	case field.Tag.Get("unit") == "bytes":
		bounds.unit, bounds.wanted = sizes, fmt.Sprintf("a size from %q to %q, or a number of bytes", from, to)
	case field.Type == reflect.TypeFor[time.Duration]():
		bounds.unit, bounds.wanted = durations, wantedDuration(from, to)
	}
	bounds.min, _ = bounds.read(from)
	if hasTo {
		bounds.max, _ = bounds.read(to)
	}
	return &bounds
}

// wantedDuration describes the durations from one to another, each "" for no bound.
func wantedDuration(from, to string) string {
	switch {
	case from == "0s" && to == "":
		return `a duration such as "45s" or a number of seconds, 0 for no limit`
	case to == "":
		return `a duration above 0 such as "45s", or a number of seconds`
	case from == "":
		return fmt.Sprintf("a duration up to %q, or a number of seconds", to)
	case from == "1ns":
		return fmt.Sprintf("a duration above 0 and up to %q, or a number of seconds", to)
	}
	return fmt.Sprintf("a duration from %q to %q, or a number of seconds", from, to)
}

// value reads the text and reports whether it is legal and within the bounds.
func (b *bounds) value(text string) (int64, bool) {
	value, ok := b.read(text)
	return value, ok && value >= b.min && value <= b.max
}

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
