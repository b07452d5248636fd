package config

import (
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
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
	// isPath says that it is the path of a file.
	isPath bool
	// standard is the default, nil if there is none.
	standard any
}

const (
	logLevelKey    = "logLevel"
	toolModeKey    = "toolMode"
	limitsKey      = "limits"
	idleTimeoutKey = "idleTimeout"
	inheritEnvKey  = "inheritEnv"
	logPayloadsKey = "logPayloads"
	logFileKey     = "logFile"
	telemetryKey   = "telemetryParent"
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
	strictKey      = "strict"
	openOnUseKey   = "openOnUse"
	findToolKey    = "findTool"
	appsKey        = "apps"
	skillsKey      = "skills"
	statusKey      = "status"
	activityKey    = "activity"
	backgroundKey  = "background"
	fromKey        = "from"
)

var logLevels = map[string]slog.Level{
	"debug": slog.LevelDebug,
	"info":  slog.LevelInfo,
	"warn":  slog.LevelWarn,
	"error": slog.LevelError,
}

var trueOrFalse = map[string]bool{"true": true, "false": false}

// settings is the table of settings: words, booleans and all limits.
var settings = newSettings()

func newSettings() []setting {
	table := []setting{
		choice(logLevelKey, "warn", "debug", "info", "warn", "error"),
		{key: logFileKey, wanted: "an absolute path", isPath: true},
		choice(telemetryKey, ParentHost, ParentHost, ParentLink),
		choice(toolModeKey, Proxy, Proxy, Dynamic),
		boolean(logPayloadsKey, false),
		boolean(openOnUseKey, false),
		boolean(findToolKey, false),
		boolean(appsKey, true),
		boolean(skillsKey, true),
		boolean(statusKey, true),
		boolean(activityKey, true),
		boolean(backgroundKey, false),
		boolean(readToolKey, false),
		{
			key: strictKey, wanted: oneOf([]string{"true", "false", "1", "0"}), standard: false,
			booleans: map[string]bool{"true": true, "false": false, "1": true, "0": false},
		},
		choice(definitionsKey, definitions.Full, definitions.Forms()...),
		boolean(validateKey, nil),
		choice(resultsKey, domain.ResultsWhole, domain.ResultsModes()...),
		choice(pinningKey, "", domain.PinOff, domain.PinWarn, domain.PinBlock),
		choice(startKey, domain.StartOnOpen, domain.StartModes()...),
		{key: registryKey, wanted: registryWanted, standard: OfficialRegistry},
		choice(packagesKey, domain.PackagesPinned, domain.PackagesOff, domain.PackagesPinned, domain.PackagesLocked),
	}
	standard := domain.DefaultLimits()
	for _, limit := range rootLimits() {
		entry := setting{key: limit.setting(), wanted: limit.wanted, limit: &limit, standard: *limit.field(&standard)}
		if old := limit.oldKey(); old != "" {
			entry.oldKey = limitsKey + "." + old
		}
		table = append(table, entry)
	}
	return table
}

// choice returns a setting that is a word. Standard is "" if it has no default.
func choice[T ~string](key string, standard T, choices ...T) setting {
	entry := setting{key: key, wanted: oneOf(choices)}
	for _, choice := range choices {
		entry.choices = append(entry.choices, string(choice))
	}
	if standard != "" {
		entry.standard = string(standard)
	}
	return entry
}

func boolean(key string, standard any) setting {
	return setting{key: key, wanted: oneOf([]string{"true", "false"}), booleans: trueOrFalse, standard: standard}
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
