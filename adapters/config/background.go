package config

import (
	"strconv"
	"time"

	"github.com/tailscale/hujson"
)

const (
	lingerKey = "linger"

	backgroundWanted = `true, false or an object with "linger"`
)

// Background says whether hosts on standard input share a background workbench.
type Background struct {
	On bool
	// Linger is the time that the background workbench keeps running after its last host has
	// left.
	Linger time.Duration
}

// String says whether it is on, which decides at the start of the program.
func (b Background) String() string { return strconv.FormatBool(b.On) }

const standardLinger = 10 * time.Minute

// backgroundLinger are the bounds of "linger".
var backgroundLinger = limit{
	read: nanoseconds, min: 0, max: int64(7 * 24 * time.Hour), wanted: `a duration from "0s" to "168h", or a number of seconds`,
}

// isInBackground reads whether hosts share a background workbench: true and an object of
// settings turn it on.
func (r *reader) isInBackground(n node) (on, ok bool) {
	switch n.value.Value.Kind() {
	case 't', '{':
		return true, true
	case 'f':
		return false, true
	}
	r.wrongKind(n, backgroundWanted)
	return false, false
}

// background reads the settings of the background workbench, if the file has them.
func (r *reader) background(members object) Background {
	settings := Background{Linger: standardLinger}
	m, ok := members.get(backgroundKey)
	if !ok {
		return settings
	}
	if _, isObject := m.value.Value.(*hujson.Object); !isObject {
		return settings
	}
	r.fields(m.node, backgroundWanted, field{lingerKey, "", func(n node) {
		if linger, ok := r.limit(n, backgroundLinger); ok {
			settings.Linger = time.Duration(linger)
		}
	}})
	return settings
}

// background returns the schema of the key "background".
func (w schemaWriter) background() schema {
	linger := durationUpTo(backgroundLinger)
	linger["default"] = standardLinger.Seconds()
	return schema{"anyOf": []schema{{"type": "boolean"}, closed(schema{lingerKey: w.described(backgroundKey, lingerKey, linger)})}}
}
