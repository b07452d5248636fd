package listings

import (
	"encoding/json"
	"strings"

	"mcp-workbench/domain/rawjson"
)

// decisive are the paths to the capabilities of hosts on which the tools of servers depend.
//
// Decision: only whether a host has one of these decides which file is read and written, since hosts can declare any
// number of others, and each set of them would have a file. A server may list other tools to hosts with further
// capabilities; these are shown once the server is up.
var decisive = [][]string{
	{"roots"},
	{"sampling"},
	{"sampling", "tools"},
	{"sampling", "context"},
	{"elicitation"},
	{"elicitation", "form"},
	{"elicitation", "url"},
	{"tasks"},
	{"extensions", "io.modelcontextprotocol/ui"},
	{"extensions", "io.modelcontextprotocol/tasks"},
	{"extensions", "io.modelcontextprotocol/skills"},
}

// knownCapabilities returns the decisive ones of the capabilities of a host. Anything else, which takes the place of
// capabilities for lists that are no host's, stays as it is.
func knownCapabilities(capabilities json.RawMessage) string {
	if !areOfHost(capabilities) {
		return string(capabilities)
	}
	var known strings.Builder
	for _, path := range decisive {
		value := capabilities
		for _, member := range path {
			value = rawjson.Member(value, member)
		}
		if rawjson.Kind(value) == '{' {
			known.WriteString(strings.Join(path, " ") + "\n")
		}
	}
	return known.String()
}

func areOfHost(capabilities json.RawMessage) bool {
	return len(capabilities) == 0 || rawjson.Kind(capabilities) == '{'
}
