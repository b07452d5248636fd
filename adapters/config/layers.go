package config

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/providers/env/v2"
	"github.com/knadh/koanf/v2"

	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/adapters/config/tree"
)

// delimiter is between the keys of a path: "limits.connect".
const delimiter = "."

// merged returns the settings of the root of all sources: defaults, with idle as the default idle timeout, the members of the
// file, variables and flags. Later ones win. The reader keeps those of variables and flags.
func (r *reader) merged(members tree.Object, options Options) (*koanf.Koanf, error) {
	merged := koanf.New(delimiter)
	r.given = koanf.New(delimiter)
	err := errors.Join(
		merged.Load(confmap.Provider(defaults(options.IdleTimeout), delimiter), nil),
		merged.Load(confmap.Provider(r.fileSettings(members), delimiter), nil),
		r.given.Load(env.Provider(delimiter, env.Opt{EnvironFunc: r.environment.settings, TransformFunc: r.variable}), nil),
		r.given.Load(confmap.Provider(r.flagSettings(options.Flags), delimiter), nil),
		merged.Merge(r.given),
	)
	if err != nil {
		return nil, fmt.Errorf("merge the settings: %w", err)
	}
	return merged, nil
}

// defaults returns the default settings by path, with idle as the default idle timeout.
func defaults(idle time.Duration) map[string]any {
	values := map[string]any{}
	for _, entry := range settings {
		if entry.standard != nil {
			values[entry.Name] = entry.standard
		}
	}
	values[idleTimeoutKey] = int64(idle)
	return values
}

// fileSettings returns the settings at the root of the file by path, and reports its unknown keys.
func (r *reader) fileSettings(members tree.Object) map[string]any {
	values := map[string]any{}
	for _, m := range members {
		if m.Name == limitsKey {
			r.limits(m.Node, func(limit keys.Key, value int64) { values[limitsKey+delimiter+limit.Name] = value })
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

// variable returns the setting of a variable and its value, and no setting for a value that is not legal, which it
// reports. The message does not show the value.
func (r *reader) variable(name, text string) (path string, value any) {
	entry := settings[slices.IndexFunc(settings, func(s setting) bool { return variableOf(s.Name) == name })]
	value, ok := entry.parse(text)
	if !ok {
		r.WrongSource(name, entry.Name, "another value", entry.wanted)
		return "", nil
	}
	return entry.Name, value
}

// flagSettings returns the settings that were given as flags by path.
func (r *reader) flagSettings(flags map[string]string) map[string]any {
	values := map[string]any{}
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
