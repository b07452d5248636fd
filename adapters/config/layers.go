package config

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/knadh/koanf/v2"

	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/adapters/config/tree"
)

// layer holds the settings of one source by key: "logLevel", "limits.connect". It is a koanf.Provider:
// koanf's own provider copies its map, which takes longer than the rest of the merge.
type layer map[string]any

// Read implements koanf.Provider.
func (l layer) Read() (map[string]any, error) { return l, nil }

// ReadBytes implements koanf.Provider. It always fails, since the settings are not text.
func (layer) ReadBytes() ([]byte, error) { return nil, errors.ErrUnsupported }

// defaults returns the lowest layer, with idle as the default idle timeout.
func defaults(idle time.Duration) layer {
	values := layer{}
	for _, entry := range settings {
		if entry.standard != nil {
			values[entry.Name] = entry.standard
		}
	}
	values[idleTimeoutKey] = int64(idle)
	return values
}

// fileLayer reads the settings at the root of the file, and reports its unknown keys.
func (r *reader) fileLayer(members tree.Object) layer {
	values := layer{}
	for _, m := range members {
		if m.Name == limitsKey {
			r.limits(m.Node, func(limit keys.Key, value int64) { values[limitsKey+"."+limit.Name] = value })
			continue
		}
		if _, isLegal := rootKeys.Get(m.Name); !isLegal {
			if !isHostFile(m, members) {
				r.unknownKey(m, rootKeys.Names())
			}
			continue
		}
		if setting, ok := settingNamed(m.Name); ok {
			if value, ok := setting.read(r, m.Node); ok {
				values[m.Name] = value
			}
		}
	}
	return values
}

// environmentLayer reads the variables of the settings. A message about a variable does not show its value.
func (r *reader) environmentLayer() layer {
	if len(r.environment.own) == 0 {
		return nil
	}
	values := layer{}
	for _, entry := range settings {
		variable := variableOf(entry.Name)
		text, _ := r.environment.setting(variable)
		if text == "" {
			continue
		}
		value, ok := entry.parse(text)
		if !ok {
			r.WrongSource(variable, entry.Name, "another value", entry.wanted)
			continue
		}
		values[entry.Name] = value
	}
	return values
}

// flagLayer reads the settings that were given as flags.
func (r *reader) flagLayer(flags map[string]string) layer {
	values := layer{}
	for _, entry := range settings {
		text, given := flags[entry.Name]
		if !given {
			continue
		}
		value, ok := entry.parse(text)
		if !ok {
			r.WrongSource(flagOf(entry.Name), entry.Name, strconv.Quote(tree.Shortened(text)), entry.wanted)
			continue
		}
		values[entry.Name] = value
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
		if err := merged.Load(values, nil); err != nil {
			return nil, fmt.Errorf("merge the settings: %w", err)
		}
	}
	return merged, nil
}
