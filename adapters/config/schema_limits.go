package config

import (
	"math"
	"time"

	"mcp-workbench/domain"
)

// limits returns the schema of the object of limits.
func (w schemaWriter) limits() schema {
	properties := schema{}
	for _, entry := range limits {
		value := w.described("limits", entry.setting(), limitSchema(entry))
		properties[entry.key] = value
		if old := entry.oldKey(); old != "" {
			properties[old] = schema{"$ref": "#/$defs/limits/properties/" + entry.key, "deprecated": true}
		}
	}
	return closed(properties)
}

// Patterns of numbers in strings, with the units that units.go accepts.
const (
	numberText   = `[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)`
	durationText = `^[+-]?(([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)?)+$`
	sizeText     = `^` + numberText + ` *(B|KB|MB|KiB|MiB)?$`
	wholeText    = `^[+-]?[0-9]+$`
)

// durationUpTo returns the schema of a duration from 0 to the maximum of a limit.
func durationUpTo(entry limit) schema {
	return schema{"anyOf": []schema{
		{"type": "number", "minimum": 0, "maximum": time.Duration(entry.max).Seconds()}, {"type": "string", "pattern": durationText},
	}}
}

// limitSchema returns the schema of a limit. It finds the unit by what the limit's reader
// accepts.
func limitSchema(entry limit) schema {
	unit, pattern, kind := 1.0, wholeText, "integer"
	if _, isSize := entry.read("1KiB"); isSize {
		pattern = sizeText
	}
	if _, isDuration := entry.read("1s"); isDuration {
		unit, pattern, kind = float64(time.Second), durationText, "number"
	}
	number := schema{"type": kind}
	switch {
	case unit == 1, entry.min == 0:
		number["minimum"] = entry.min
	default:
		number["exclusiveMinimum"] = 0 // any duration above 0 is legal
	}
	if entry.max < math.MaxInt64 {
		number["maximum"] = float64(entry.max) / unit
	}
	standard := domain.DefaultLimits()
	return schema{
		"anyOf":   []schema{number, {"type": "string", "pattern": pattern}},
		"default": float64(*entry.field(&standard)) / unit,
	}
}
