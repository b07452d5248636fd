package config

import (
	"log/slog"
	"maps"
	"slices"
	"strings"
	"unicode"

	"mcp-workbench/domain"
)

// setting is a setting of the root, which the file, an environment variable or a flag
// may give.
type setting struct {
	// key is the key in the file: "logLevel", "limits.connect".
	key string
	// oldKey is a former key, "" if there is none.
	oldKey string
	read   func(text string) (value any, ok bool)
	wanted string
	// choices are the words that are legal, nil when it is no word.
	choices []string
}

// settings returns the table of settings: those of words and all limits.
func settings() []setting {
	table := []setting{
		choice("logLevel", slices.SortedFunc(maps.Keys(logLevels), func(a, b string) int {
			return int(logLevels[a] - logLevels[b])
		})),
		choice("toolMode", []string{string(Proxy), string(Dynamic)}),
		choice(logPayloadsKey, []string{"true", "false"}),
		choice(openOnUseKey, []string{"true", "false"}),
		choice(readToolKey, []string{"true", "false"}),
		choice(strictKey, []string{"true", "false", "1", "0"}),
		choice(definitionsKey, formNames()),
		choice(validateKey, []string{"true", "false"}),
		choice(pinningKey, []string{string(domain.PinOff), string(domain.PinWarn), string(domain.PinBlock)}),
		choice(startKey, startNames()),
		choice(packagesKey, []string{string(domain.PackagesOff), string(domain.PackagesPinned), string(domain.PackagesLocked)}),
	}
	for _, entry := range rootLimits() {
		read := func(text string) (any, bool) { return entry.value(text) }
		one := setting{key: entry.setting(), read: read, wanted: entry.wanted}
		if old := entry.oldKey(); old != "" {
			one.oldKey = limitsKey + "." + old
		}
		table = append(table, one)
	}
	return table
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
	toolboxesKey   = "toolboxes"
	mcpServersKey  = "mcpServers"
	strictKey      = "strict"
	openOnUseKey   = "openOnUse"
)

var logLevels = map[string]slog.Level{
	"debug": slog.LevelDebug,
	"info":  slog.LevelInfo,
	"warn":  slog.LevelWarn,
	"error": slog.LevelError,
}

func choice(key string, choices []string) setting {
	read := func(text string) (any, bool) { return text, slices.Contains(choices, text) }
	return setting{key: key, read: read, wanted: oneOf(choices), choices: choices}
}

// variable returns the environment variable of the setting: "limits.openReply" is
// WORKBENCH_LIMITS_OPEN_REPLY.
func (s setting) variable() string { return variableOf(s.key) }

// oldVariable returns the former environment variable, "" if there is none.
func (s setting) oldVariable() string {
	if s.oldKey == "" {
		return ""
	}
	return variableOf(s.oldKey)
}

func variableOf(key string) string {
	return variablePrefix + strings.ToUpper(strings.Join(words(key), "_"))
}

// flag returns the flag of the setting: "logLevel" is --log-level.
func (s setting) flag() string {
	return "--" + strings.ToLower(strings.Join(words(s.key), "-"))
}

// words cuts a key where a dot or a capital letter begins a word.
func words(key string) []string {
	var spaced strings.Builder
	for _, r := range key {
		switch {
		case r == '.':
			spaced.WriteByte(' ')
			continue
		case unicode.IsUpper(r):
			spaced.WriteByte(' ')
		}
		spaced.WriteRune(r)
	}
	return strings.Fields(spaced.String())
}
