package trust

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"mcp-workbench/adapters/config"
	"mcp-workbench/domain"
	"mcp-workbench/domain/serverconfig"
)

// inOwnLines are the keys below the root that other lines show, by their place.
var inOwnLines = map[string][]string{
	"toolbox": {},
	"server":  {"command", "args", "env", "cwd", "url", "inheritEnv"},
	"oauth":   {"issuer", "assertionFile"},
}

// harmless are the keys that decide nothing that a user has to know before trusting a file, by their place: how much
// is shown of definitions and results, how long something may take, what an error in the file means, and names of
// kinds, which the line of the server shows. Those of the root have it in their tags (config.Root). Keys that are not known
// here or there are shown.
//
// Decision: limits are harmless, since each has bounds within which only the user of the file waits or pays.
var harmless = map[string][]string{
	"toolbox": {"definitions", "results", "disabled"},
	"server": {
		"transport", "type", "disabled", "results", "limits", "idleTimeout", "alwaysAllow", "autoApprove", "disabledTools", "timeout", "from",
	},
	"http": {"maxSessions", "maxSessionsPerIdentity", "drain", "metricsByTool", "metricsByIdentity"},
}

// IsHarmless reports whether a key of a place (config.Describe) is named as one that decides nothing that a user has to
// know before trusting a file.
func IsHarmless(place, key string) bool {
	return place == "limits" || slices.Contains(harmless[place], key) || place == "root" && slices.Contains(config.RootKeysWith("harmless"), key)
}

// secret are the keys whose values may be secrets, by their place. Only references to variables are shown of them.
var secret = map[string][]string{
	"server": {"headers"},
	"oauth":  {"clientSecret"},
	"http":   {"tokens.value", "auth.introspection.clientSecret"},
}

// decided returns a line for each key of a configuration that decides something and has no line of its own.
func decided(text []byte) []string {
	var lines []string
	for _, given := range config.GivenKeys(text) {
		isShown := slices.Contains(inOwnLines[given.Place], given.Key) || given.Place == "root" && slices.Contains(config.RootKeysWith("shown"), given.Key)
		if isShown || IsHarmless(given.Place, given.Key) {
			continue
		}
		owner := ""
		if given.Toolbox != "" {
			owner = strings.TrimSuffix(domain.ServerID{Toolbox: given.Toolbox, Server: given.Server}.Path(), "/") + ": "
		}
		lines = append(lines, owner+given.Path+" is "+value(given))
	}
	return lines
}

// value returns the value of a key as JSON, without secrets.
func value(given config.GivenKey) string {
	isKeyItself := given.Place == "oauth" && given.Key == "privateKey" && bytes.Contains(given.Value, []byte("-----BEGIN"))
	isHeader := given.Place == "registry" && strings.HasPrefix(given.Key, "headers")
	if !isKeyItself && !isHeader && !slices.Contains(secret[given.Place], given.Key) {
		return string(given.Value)
	}
	var texts map[string]string
	if json.Unmarshal(given.Value, &texts) == nil {
		for name, text := range texts {
			texts[name] = serverconfig.Masked(text)
		}
		return encoded(texts)
	}
	var text string
	_ = json.Unmarshal(given.Value, &text) // the configuration was checked
	return encoded(serverconfig.Masked(text))
}

func encoded(value any) string {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(value) // strings can be encoded
	return strings.TrimSpace(text.String())
}
