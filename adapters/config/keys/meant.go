package keys

import (
	"maps"
	"slices"
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

// Meant returns the legal key that an unknown one most likely means.
func Meant(name string, legal []string) (string, bool) {
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
