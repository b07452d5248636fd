package config

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"mcp-workbench/domain"
)

// synonyms maps common names for the workbench's keys to those keys, if they are spelled
// too differently to be found by comparing letters.
var synonyms = map[string]string{
	"allowedtools": "toolFilters", "filters": "toolFilters", "includetools": "toolFilters",
	"arguments": "args", "params": "args",
	"cmd": "command", "exec": "command", "program": "command",
	"dir": "cwd", "directory": "cwd", "workdir": "cwd", "workingdir": "cwd", "workingdirectory": "cwd",
	"enabled":     "disabled",
	"environment": "env", "environmentvariables": "env", "envvars": "env", "variables": "env",
	"httpheaders": "headers", "requestheaders": "headers",
	"endpoint": "url", "serverurl": "url", "uri": "url",
	"mcp": "mcpServers", "servers": "mcpServers",
	"loglevel": "logLevel", "verbosity": "logLevel",
	"mode": "toolMode",
}

// meantKey returns the legal key that an unknown one most likely means.
func meantKey(name string, legal []string) (string, bool) {
	plain := strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))
	for _, key := range legal {
		if strings.EqualFold(key, plain) || key == synonyms[plain] {
			return key, true
		}
	}
	if near, found := domain.Nearest(name, legal); found {
		return near, true
	}
	if near, found := domain.Nearest(plain, slices.Sorted(maps.Keys(synonyms))); found && slices.Contains(legal, synonyms[near]) {
		return synonyms[near], true
	}
	return "", false
}

// oneOf returns the choices, quoted: `"a"`, `"a" or "b"`, `"a", "b" or "c"`.
func oneOf[T ~string](choices []T) string {
	quoted := make([]string, len(choices))
	for i, choice := range choices {
		quoted[i] = strconv.Quote(string(choice))
	}
	if len(quoted) < 2 {
		return strings.Join(quoted, "")
	}
	last := len(quoted) - 1
	return strings.Join(quoted[:last], ", ") + " or " + quoted[last]
}
