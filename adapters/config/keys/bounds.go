package keys

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// Unit reads values of one kind: durations in nanoseconds, sizes in bytes, or plain numbers.
type Unit struct {
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

// The units of numbers.
var (
	Durations = &Unit{nanoseconds, durationText, "number", float64(time.Second)}
	Sizes     = &Unit{bytesOf, `^` + numberText + ` *(B|KB|MB|KiB|MiB)?$`, "integer", 1}
	Numbers   = &Unit{wholeNumber, `^[+-]?[0-9]+$`, "integer", 1}
)

// Bounds are those of a number.
type Bounds struct {
	*Unit
	// Min and Max are the bounds in nanoseconds, bytes or as they are; Max is math.MaxInt64 for none.
	Min, Max int64
	// Wanted describes the values within the bounds in problems.
	Wanted string
}

// boundsOf returns the bounds that the tag of a field says, nil if it says none. Without "to" there is no maximum.
func boundsOf(field reflect.StructField) *Bounds {
	from, hasFrom := field.Tag.Lookup("from")
	to, hasTo := field.Tag.Lookup("to")
	if !hasFrom && !hasTo {
		return nil
	}
	bounds := Bounds{Unit: Numbers, Max: math.MaxInt64, Wanted: fmt.Sprintf("a whole number from %s to %s", from, to)}
	switch {
	case field.Tag.Get("unit") == "bytes":
		bounds.Unit, bounds.Wanted = Sizes, fmt.Sprintf("a size from %q to %q, or a number of bytes", from, to)
	case field.Type == reflect.TypeFor[time.Duration]():
		bounds.Unit, bounds.Wanted = Durations, wantedDuration(from, to)
	}
	bounds.Min, _ = bounds.read(from)
	if hasTo {
		bounds.Max, _ = bounds.read(to)
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

// Value reads the text and reports whether it is legal and within the bounds.
func (b *Bounds) Value(text string) (int64, bool) {
	value, ok := b.read(text)
	return value, ok && value >= b.Min && value <= b.Max
}

// InUnit returns a number as a file without a unit has it: seconds for a duration.
func (b *Bounds) InUnit(number int64) float64 { return float64(number) / b.each }

// JSONSchema returns the schema of a number within the bounds.
func (b *Bounds) JSONSchema() map[string]any {
	number := map[string]any{"type": b.kind, "minimum": b.Min}
	if b.Unit == Durations && b.Min > 0 {
		delete(number, "minimum")
		number["exclusiveMinimum"] = 0 // any duration above 0 is legal
	}
	if b.Max < math.MaxInt64 {
		number["maximum"] = b.InUnit(b.Max)
	}
	return map[string]any{"anyOf": []map[string]any{number, {"type": "string", "pattern": b.pattern}}}
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
