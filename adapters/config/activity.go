package config

import (
	"github.com/tailscale/hujson"

	"mcp-workbench/domain"
)

const (
	maxSizeKey = "maxSize"
	daysKey    = "days"

	recordWanted = `true, false or an object with "maxSize" and "days"`
)

// The bounds of the record of activity. A smaller record would be full after a few hundred calls.
var (
	recordSize = limit{read: bytesOf, min: 64 << 10, max: 1 << 30, wanted: `a size from "64KiB" to "1024MiB", or a number of bytes`}
	recordDays = limit{read: wholeNumber, min: 1, max: 3650, wanted: "a whole number from 1 to 3650"}
)

// isRecorded reports whether activity is recorded: true and an object of settings turn it on. Ok is false for a value
// of another kind, which is reported as a problem.
func (r *reader) isRecorded(n node) (recorded, ok bool) {
	switch n.value.Value.Kind() {
	case 't', '{':
		return true, true
	case 'f':
		return false, true
	}
	r.wrongKind(n, recordWanted)
	return false, false
}

// activity returns the bounds of the activity record, with defaults for those that the file does
// not set.
func (r *reader) activity(members object) domain.RecordSettings {
	settings := domain.DefaultRecordSettings()
	m, ok := members.get(activityKey)
	if !ok {
		return settings
	}
	if _, isObject := m.value.Value.(*hujson.Object); !isObject {
		return settings
	}
	r.fields(
		m.node, recordWanted,
		field{maxSizeKey, "", func(n node) {
			if size, ok := r.limit(n, recordSize); ok {
				settings.MaxSize = size
			}
		}},
		field{daysKey, "", func(n node) {
			if days, ok := r.limit(n, recordDays); ok {
				settings.Days = int(days)
			}
		}},
	)
	return settings
}

// activity returns the schema of the key "activity".
func (w schemaWriter) activity() schema {
	number := func(key, pattern string, bounds limit, standard int64) schema {
		return w.described(activityKey, key, schema{"default": standard, "anyOf": []schema{
			{"type": "integer", "minimum": bounds.min, "maximum": bounds.max}, {"type": "string", "pattern": pattern},
		}})
	}
	standard := domain.DefaultRecordSettings()
	return schema{"anyOf": []schema{{"type": "boolean"}, closed(schema{
		maxSizeKey: number(maxSizeKey, sizeText, recordSize, standard.MaxSize),
		daysKey:    number(daysKey, wholeText, recordDays, int64(standard.Days)),
	})}}
}
