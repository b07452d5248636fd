package config

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/v2"

	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

// delimiter joins the steps of a key for koanf. It occurs in no name.
const delimiter = "\x1f"

// layer holds the settings of one source by their key for koanf.
type layer map[string]any

func (a layer) set(key string, value any) {
	a[strings.ReplaceAll(key, ".", delimiter)] = value
}

// defaults returns the lowest layer.
func defaults() layer {
	values := layer{}
	values.set("logLevel", "warn")
	values.set("toolMode", string(Proxy))
	standard := domain.DefaultLimits()
	values.set(logPayloadsKey, "false")
	values.set(strictKey, "false")
	values.set(openOnUseKey, "false")
	values.set(readToolKey, "false")
	values.set(packagesKey, string(domain.PackagesPinned))
	values.set(definitionsKey, string(definitions.Full))
	values.set(startKey, string(domain.StartOnOpen))
	for _, entry := range rootLimits() {
		values.set(entry.setting(), *entry.field(&standard))
	}
	return values
}

// environmentLayer reads the variables of the settings. A message about one does
// not show its value.
func (l *loader) environmentLayer() layer {
	values := layer{}
	for _, entry := range settings() {
		variable, text := l.variableOf(entry)
		if text == "" {
			continue
		}
		value, ok := entry.read(text)
		if !ok {
			l.wrongSource(variable, "another value", entry.wanted)
			continue
		}
		values.set(entry.key, value)
	}
	return values
}

// variableOf returns the variable that gives a setting and its value, "" if none
// does. A former name gives it too, with a warning.
func (l *loader) variableOf(entry setting) (variable, text string) {
	text, isSet := l.environment.setting(entry.variable())
	if entry.oldKey == "" {
		return entry.variable(), text
	}
	old, given := l.environment.setting(entry.oldVariable())
	if given {
		l.warnSource(entry.oldVariable(), renamedMessage(entry.variable(), isSet))
	}
	if given && !isSet {
		return entry.oldVariable(), old
	}
	return entry.variable(), text
}

// flagLayer reads the settings that were given as flags.
func (l *loader) flagLayer() layer {
	table := map[string]setting{}
	for _, entry := range settings() {
		table[entry.key] = entry
	}
	values := layer{}
	for _, key := range slices.Sorted(maps.Keys(l.flags)) {
		entry, known := table[key]
		if !known {
			entry.key, entry.wanted = key, oneOf(slices.Sorted(maps.Keys(table)))
			l.wrongSource(entry.flag(), "an unknown setting", entry.wanted)
			continue
		}
		value, ok := entry.read(l.flags[key])
		if !ok {
			l.wrongSource(entry.flag(), strconv.Quote(shortened(l.flags[key])), entry.wanted)
			continue
		}
		values.set(entry.key, value)
	}
	return values
}

// merge merges the layers; later ones win.
func merge(layers ...layer) (*koanf.Koanf, error) {
	merged := koanf.New(delimiter)
	for _, values := range layers {
		if err := merged.Load(confmap.Provider(values, delimiter), nil); err != nil {
			return nil, fmt.Errorf("merge the settings: %w", err)
		}
	}
	return merged, nil
}

// limitsOf returns the limits of the merged layers.
func limitsOf(merged *koanf.Koanf) domain.Limits {
	values := domain.DefaultLimits()
	for _, entry := range rootLimits() {
		*entry.field(&values) = merged.Int64(strings.ReplaceAll(entry.setting(), ".", delimiter))
	}
	return values
}
