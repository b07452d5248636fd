package config

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/v2"

	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

// layer holds the settings of one source by their key: "logLevel", "limits.connect".
type layer map[string]any

// defaults returns the lowest layer.
func defaults(idle time.Duration) layer {
	values := layer{
		logLevelKey:    "warn",
		toolModeKey:    string(Proxy),
		logPayloadsKey: false,
		strictKey:      false,
		openOnUseKey:   false,
		readToolKey:    false,
		packagesKey:    string(domain.PackagesPinned),
		definitionsKey: string(definitions.Full),
		startKey:       string(domain.StartOnOpen),
	}
	standard := domain.DefaultLimits()
	standard.Idle = idle
	for _, entry := range rootLimits() {
		values[entry.setting()] = *entry.field(&standard)
	}
	return values
}

// fileLayer reads the settings at the root of the file, and reports its unknown keys.
func (r reader) fileLayer(members object, settings []setting) layer {
	values := layer{}
	for _, m := range members {
		if m.name == limitsKey {
			r.limits(m.node, func(entry limit, value int64) { values[entry.setting()] = value })
			continue
		}
		if !slices.Contains(rootKeys, m.name) {
			if !isHostFile(m, members) {
				r.unknownKey(m, rootKeys)
			}
			continue
		}
		if i := slices.IndexFunc(settings, func(s setting) bool { return s.key == m.name }); i >= 0 {
			if value, ok := settings[i].read(r, m); ok {
				values[m.name] = value
			}
		}
	}
	return values
}

// environmentLayer reads the variables of the settings. A message about one does
// not show its value.
func (r reader) environmentLayer(settings []setting) layer {
	if len(r.environment.own) == 0 {
		return nil
	}
	values := layer{}
	for _, entry := range settings {
		variable, text := r.variableOf(entry)
		if text == "" {
			continue
		}
		value, ok := entry.parse(text)
		if !ok {
			r.wrongSource(variable, "another value", entry.wanted)
			continue
		}
		values[entry.key] = value
	}
	return values
}

// variableOf returns the variable that gives a setting and its value, "" if none
// does. A former name gives it too, with a warning.
func (r reader) variableOf(entry setting) (variable, text string) {
	text, isSet := r.environment.setting(entry.variable())
	if entry.oldKey == "" {
		return entry.variable(), text
	}
	old, given := r.environment.setting(entry.oldVariable())
	if given {
		r.warnSource(entry.oldVariable(), renamedMessage(entry.variable(), isSet))
	}
	if given && !isSet {
		return entry.oldVariable(), old
	}
	return entry.variable(), text
}

// flagLayer reads the settings that were given as flags.
func (r reader) flagLayer(settings []setting, flags map[string]string) layer {
	values := layer{}
	for _, key := range slices.Sorted(maps.Keys(flags)) {
		i := slices.IndexFunc(settings, func(s setting) bool { return s.key == key })
		if i < 0 {
			var known []string
			for _, entry := range settings {
				known = append(known, entry.key)
			}
			slices.Sort(known)
			r.wrongSource(flagOf(key), "an unknown setting", oneOf(known))
			continue
		}
		value, ok := settings[i].parse(flags[key])
		if !ok {
			r.wrongSource(flagOf(key), strconv.Quote(shortened(flags[key])), settings[i].wanted)
			continue
		}
		values[key] = value
	}
	return values
}

// merge merges the layers; later ones win.
func merge(layers ...layer) (*koanf.Koanf, error) {
	// Keys are flat, so the delimiter is a character that no key has.
	const delimiter = "\x1f"
	merged := koanf.New(delimiter)
	for _, values := range layers {
		if len(values) == 0 {
			continue
		}
		if err := merged.Load(confmap.Provider(values, ""), nil); err != nil {
			return nil, fmt.Errorf("merge the settings: %w", err)
		}
	}
	return merged, nil
}

// limitsOf returns the limits of the merged layers.
func limitsOf(merged *koanf.Koanf) domain.Limits {
	values := domain.DefaultLimits()
	for _, entry := range rootLimits() {
		*entry.field(&values) = merged.Int64(entry.setting())
	}
	return values
}
