package config

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/knadh/koanf/v2"

	"mcp-workbench/domain"
)

// setting is a setting of the root that the file, an environment variable or a flag can set.
type setting struct {
	// key is the key in the file: "logLevel", "limits.connect".
	key string
	// oldKey is a former key, "" if there is none.
	oldKey string
	wanted string
	// choices are the legal words of a setting that is a word.
	choices []string
	// booleans are the legal words of a setting that is true or false, with what they mean.
	booleans map[string]bool
	// limit is set for a limit.
	limit *limit
	// index is that of its field in Root, unless it is a limit.
	index int
	// isPath says that it is the path of a file.
	isPath bool
	// standard is the default, nil if there is none.
	standard any
}

const (
	limitsKey      = "limits"
	idleTimeoutKey = "idleTimeout"
	inheritEnvKey  = "inheritEnv"
	logPayloadsKey = "logPayloads"
	pinningKey     = "pinning"
	packagesKey    = "packages"
	pinnedKey      = "pinned"
	startKey       = "start"
	sharedKey      = "shared"
	definitionsKey = "definitions"
	validateKey    = "validate"
	resultsKey     = "results"
	toolboxesKey   = "toolboxes"
	mcpServersKey  = "mcpServers"
	statusKey      = "status"
	activityKey    = "activity"
	backgroundKey  = "background"
	fromKey        = "from"
)

var (
	trueOrFalse = map[string]bool{"true": true, "false": false}
	// numeric are the words of "strict", whose variable can be 1 as well.
	numeric = map[string]bool{"true": true, "false": false, "1": true, "0": false}
)

// rootKeys are all keys of the root, and settings is the table of its settings: words, booleans, paths and all limits.
var rootKeys, settings = newSettings()

func newSettings() (keys []string, table []setting) {
	root := reflect.TypeFor[Root]()
	for i := range root.NumField() {
		field := root.Field(i)
		key := field.Tag.Get("key")
		if key == "" {
			continue
		}
		keys = append(keys, key)
		standard, hasStandard := field.Tag.Lookup("default")
		entry := setting{key: key, index: i, isPath: hasTrait(field, "path")}
		switch words := field.Tag.Get("oneOf"); {
		case words != "":
			entry.choices = strings.Fields(words)
			entry.wanted = oneOf(entry.choices)
		case entry.isPath:
			entry.wanted = "an absolute path"
		case key == registryKey:
			entry.wanted = registryWanted
		case field.Type.Kind() == reflect.Bool, hasStandard:
			entry.booleans, entry.wanted = trueOrFalse, `"true" or "false"`
		default:
			continue
		}
		if key == "strict" {
			entry.booleans, entry.wanted = numeric, oneOf([]string{"true", "false", "1", "0"})
		}
		if hasStandard {
			entry.standard, _ = entry.parse(standard)
		}
		table = append(table, entry)
	}
	standard := domain.DefaultLimits()
	for _, limit := range rootLimits() {
		entry := setting{key: limit.setting(), wanted: limit.wanted, limit: &limit, standard: *limit.field(&standard)}
		if old := limit.oldKey(); old != "" {
			entry.oldKey = limitsKey + "." + old
		}
		table = append(table, entry)
	}
	return keys, table
}

// hasTrait reports whether a field of Root has a trait in its tag.
func hasTrait(field reflect.StructField, trait string) bool {
	return slices.Contains(strings.Fields(field.Tag.Get("is")), trait)
}

// RootKeysWith returns the keys of the root that have a trait (Root): "free", "start", "harmless" or "shown".
func RootKeysWith(trait string) []string {
	var keys []string
	for field := range reflect.TypeFor[Root]().Fields() {
		if hasTrait(field, trait) {
			keys = append(keys, field.Tag.Get("key"))
		}
	}
	return keys
}

// ReadAtStart passes on each setting that is read only at the start of the program, as a text that can be compared.
func (root *Root) ReadAtStart(use func(key, value string)) {
	value := reflect.ValueOf(root).Elem()
	for i := range value.NumField() {
		if field := value.Type().Field(i); hasTrait(field, "start") {
			use(field.Tag.Get("key"), fmt.Sprint(value.Field(i).Interface()))
		}
	}
}

// fill sets the fields of words, paths and booleans to their merged values.
func (root *Root) fill(merged *koanf.Koanf) {
	value := reflect.ValueOf(root).Elem()
	for _, entry := range settings {
		if entry.limit != nil || !value.Field(entry.index).CanSet() {
			continue
		}
		switch field := value.Field(entry.index); field.Kind() {
		case reflect.String:
			field.SetString(merged.String(entry.key))
		case reflect.Bool:
			field.SetBool(merged.Bool(entry.key))
		case reflect.Int:
			_ = root.LogLevel.UnmarshalText([]byte(merged.String(entry.key))) // it is one of the words
		}
	}
}

// parse returns the value that a variable or flag gives and whether it is legal.
func (s setting) parse(text string) (value any, ok bool) {
	switch {
	case s.limit != nil:
		return s.limit.value(text)
	case s.booleans != nil:
		value, ok := s.booleans[text]
		return value, ok
	case s.key == registryKey:
		return parseRegistry(text)
	case s.isPath:
		return text, filepath.IsAbs(text)
	default:
		return text, slices.Contains(s.choices, text)
	}
}

// read returns the value that the file gives and whether it is legal.
func (s setting) read(r *reader, m member) (value any, ok bool) {
	switch {
	case s.limit != nil:
		return r.limit(m.node, *s.limit)
	case s.key == activityKey:
		return r.isRecorded(m.node)
	case s.key == backgroundKey:
		return r.isInBackground(m.node)
	case s.key == registryKey:
		return r.registryAddress(m.node)
	case s.booleans != nil:
		return r.boolean(m.node), true
	case s.isPath:
		return r.absolutePath(m.node, s.wanted)
	default:
		return word(r, m.node, s.choices)
	}
}

// variableOf returns the environment variable of a setting: that of "limits.openReply" is
// WORKBENCH_LIMITS_OPEN_REPLY.
func variableOf(key string) string { return variablePrefix + strings.ToUpper(separated(key, '_')) }

// flagOf returns the flag of a setting: "logLevel" is --log-level.
func flagOf(key string) string { return "--" + strings.ToLower(separated(key, '-')) }

// separated returns the key with a separator wherever a dot or a capital letter begins a word.
func separated(key string, separator byte) string {
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
