package config

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"

	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/domain"
)

// setting is a setting of the root that the file, an environment variable or a flag can set: a key of the root, or a limit
// such as "limits.connect".
type setting struct {
	keys.Key
	// path is that of the value in the layers: "limits.connect", or the field of a switch: "activity.off".
	path   string
	wanted string
	// parse returns the value that a variable or a flag gives, and whether it is legal.
	parse func(text string) (value any, ok bool)
	// read returns the value that the file gives, and whether it is legal.
	read func(r *reader, n tree.Node) (value any, ok bool)
	// standard is the default, nil if there is none.
	standard any
}

// delimiter is between the keys of a path: "limits.connect".
const delimiter = "."

// rootKeys are all keys of the root, and settings is the table of its settings: words, booleans, paths and all limits.
var rootKeys, settings = newSettings()

func newSettings() (all keys.Set, table []setting) {
	all = keys.For[Root]()
	for _, key := range all {
		switch {
		case key.Type == reflect.TypeFor[limitsObject]():
			standard := reflect.ValueOf(domain.DefaultLimits())
			for _, limit := range limitKeys {
				limit.Name = limitsKey + delimiter + limit.Name
				entry, _ := newSetting(limit)
				entry.standard = standard.FieldByName(limit.Field).Int()
				table = append(table, entry)
			}
			continue
		case key.Name == idleTimeoutKey:
			key.Field = "Idle"
		}
		if entry, ok := newSetting(key); ok {
			if key.Name == idleTimeoutKey {
				entry.path = limitsKey + delimiter + "idle"
			}
			table = append(table, entry)
		}
	}
	return all, table
}

// newSetting returns the setting of a key. It reports false for a key that only a file can have.
func newSetting(key keys.Key) (entry setting, ok bool) {
	entry = setting{Key: key, path: key.Name}
	switch {
	case key.Kind == keys.Number:
		entry.wanted = key.Bounds.Wanted
		entry.parse = func(text string) (any, bool) { return key.Bounds.Value(text) }
		entry.read = func(r *reader, n tree.Node) (any, bool) { return r.number(n, key.Bounds) }
	case key.Kind == keys.Word:
		entry.wanted = tree.OneOf(key.Words)
		entry.parse = func(text string) (any, bool) { return text, slices.Contains(key.Words, text) }
		entry.read = func(r *reader, n tree.Node) (any, bool) { return tree.Word(&r.Findings, n, key.Words) }
	case key.Is(keys.Path):
		entry.wanted = "an absolute path"
		entry.parse = func(text string) (any, bool) { return text, filepath.IsAbs(text) }
		entry.read = func(r *reader, n tree.Node) (any, bool) { return r.absolutePath(n, entry.wanted) }
	case key.Type == reflect.TypeFor[Registry]():
		entry.wanted, entry.parse = registryWanted, parseRegistry
		entry.read = func(r *reader, n tree.Node) (any, bool) { return registryAddress(r, n) }
	case key.Is(keys.Switch):
		_, isOff := key.Type.FieldByName("Off")
		entry.path += delimiter + "on"
		if isOff {
			entry.path = key.Name + delimiter + "off"
		}
		words := []string{"true", "false"}
		entry.wanted = tree.OneOf(words)
		entry.parse = func(text string) (any, bool) { return (text == "true") != isOff, slices.Contains(words, text) }
		entry.read = func(r *reader, n tree.Node) (any, bool) {
			on, ok := switchedOn(&r.Findings, n, key.Wanted)
			return on != isOff, ok
		}
	case key.Kind == keys.Bool:
		words := []string{"true", "false"}
		if key.Is(keys.Numeric) {
			words = append(words, "1", "0")
		}
		entry.wanted = tree.OneOf(words)
		entry.parse = func(text string) (any, bool) { return text == "true" || text == "1", slices.Contains(words, text) }
		entry.read = func(r *reader, n tree.Node) (any, bool) { return r.Boolean(n), true }
	default:
		return setting{}, false
	}
	if key.HasDefault {
		entry.standard, _ = entry.parse(key.Default)
	}
	return entry, true
}

// standardRoot has the defaults of the settings that are objects.
var standardRoot = Root{Activity: Record(domain.DefaultRecordSettings()), Background: Background{Linger: 10 * time.Minute}}

// settingNamed returns the setting of a name, and whether there is one.
func settingNamed(name string) (setting, bool) {
	if i := slices.IndexFunc(settings, func(s setting) bool { return s.Name == name }); i >= 0 {
		return settings[i], true
	}
	return setting{}, false
}

// field returns the field of a root that has the value.
func (s setting) field(root *Root) reflect.Value {
	if s.Kind == keys.Number {
		return reflect.ValueOf(&root.Limits).Elem().FieldByName(s.Field)
	}
	return reflect.ValueOf(root).Elem().FieldByName(s.Field)
}

// ReadAtStart passes on each setting that is read only at the start of the program, as a text that can be compared.
func (root *Root) ReadAtStart(use func(key, value string)) {
	for _, entry := range settings {
		if entry.Is(keys.Start) {
			use(entry.Name, fmt.Sprint(entry.field(root).Interface()))
		}
	}
}

// variableOf returns the environment variable of a setting: that of "limits.openReply" is
// WORKBENCH_LIMITS_OPEN_REPLY.
func variableOf(key string) string { return variablePrefix + strings.ToUpper(withSeparator(key, '_')) }

// flagOf returns the flag of a setting: "logLevel" is --log-level.
func flagOf(key string) string { return "--" + strings.ToLower(withSeparator(key, '-')) }

// withSeparator returns the key with a separator wherever a dot or a capital letter begins a word.
func withSeparator(key string, separator byte) string {
	var text strings.Builder
	for _, r := range key {
		if r == '.' || unicode.IsUpper(r) {
			text.WriteByte(separator)
		}
		if r != '.' {
			text.WriteRune(r)
		}
	}
	return text.String()
}
