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

// setting is a setting of the root that the file, an environment variable or a flag can set: a key of the root, or a limit
// such as "limits.connect".
type setting struct {
	key
	// oldKey is a former key, "" if there is none.
	oldKey string
	wanted string
	// booleans are the legal words of a setting that is true or false, with what they mean.
	booleans map[string]bool
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

func newSettings() (all keys, table []setting) {
	all = keysOf(reflect.TypeFor[Root]())
	for _, key := range all {
		standard, hasStandard := key.Tag.Lookup("default")
		entry := setting{key: key, wanted: key.Tag.Get("wanted")}
		switch {
		case len(key.words) > 0:
			entry.wanted = oneOf(key.words)
		case key.has("path"):
			entry.wanted = "an absolute path"
		case key.name == registryKey:
			entry.wanted = registryWanted
		case key.name == "strict":
			entry.booleans, entry.wanted = numeric, oneOf([]string{"true", "false", "1", "0"})
		case key.Type == reflect.TypeFor[bool](), hasStandard:
			entry.booleans, entry.wanted = trueOrFalse, `"true" or "false"`
		default:
			continue
		}
		if hasStandard {
			entry.standard, _ = entry.parse(standard)
		}
		table = append(table, entry)
	}
	standard := domain.DefaultLimits()
	for _, limit := range rootLimits() {
		entry := setting{key: key{name: limit.setting(), bounds: &limit}, wanted: limit.wanted, standard: *limit.field(&standard)}
		if old := limit.oldKey(); old != "" {
			entry.oldKey = limitsKey + "." + old
		}
		table = append(table, entry)
	}
	return all, table
}

// ReadAtStart passes on each setting that is read only at the start of the program, as a text that can be compared.
func (root *Root) ReadAtStart(use func(key, value string)) {
	value := reflect.ValueOf(root).Elem()
	for _, key := range rootKeys {
		if key.has("start") {
			use(key.name, fmt.Sprint(value.FieldByName(key.Name).Interface()))
		}
	}
	for _, entry := range limits {
		if entry.atStart {
			use(entry.setting(), fmt.Sprint(*entry.field(&root.Limits)))
		}
	}
}

// fill sets the fields of words, paths and booleans to their merged values.
func (root *Root) fill(merged *koanf.Koanf) {
	value := reflect.ValueOf(root).Elem()
	for _, entry := range settings {
		if entry.bounds != nil || entry.readElsewhere() {
			continue
		}
		switch field := value.FieldByName(entry.Name); field.Kind() {
		case reflect.String:
			field.SetString(merged.String(entry.name))
		case reflect.Bool:
			field.SetBool(merged.Bool(entry.name))
		case reflect.Int:
			_ = root.LogLevel.UnmarshalText([]byte(merged.String(entry.name))) // it is one of the words
		}
	}
}

// parse returns the value that a variable or flag gives and whether it is legal.
func (s setting) parse(text string) (value any, ok bool) {
	switch {
	case s.bounds != nil:
		return s.bounds.value(text)
	case s.booleans != nil:
		value, ok := s.booleans[text]
		return value, ok
	case s.name == registryKey:
		return parseRegistry(text)
	case s.has("path"):
		return text, filepath.IsAbs(text)
	default:
		return text, slices.Contains(s.words, text)
	}
}

// read returns the value that the file gives and whether it is legal.
func (s setting) read(r *reader, m member) (value any, ok bool) {
	switch {
	case s.bounds != nil:
		return r.limit(m.node, *s.bounds)
	case s.has("switch"):
		return r.switched(m.node, s.key.Tag.Get("wanted"))
	case s.name == registryKey:
		return r.registryAddress(m.node)
	case s.booleans != nil:
		return r.boolean(m.node), true
	case s.has("path"):
		return r.absolutePath(m.node, s.wanted)
	default:
		return word(r, m.node, s.words)
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
