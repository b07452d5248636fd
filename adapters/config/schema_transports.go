package config

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// samples has a value of each kind, with the schema of the values that a transport
// accepts if it accepts the sample.
var samples = []struct {
	value string
	means schema
}{
	{`"text"`, schema{"type": "string"}},
	{`true`, schema{"type": "boolean"}},
	{`["text"]`, schema{"type": "array", "items": schema{"type": "string"}}},
	{`{"name":"text"}`, schema{"type": "object", "additionalProperties": schema{"type": "string"}}},
}

// accepted returns the schema of a key of a transport, made from the samples that the
// transport's check accepts. A key that refuses the sample string may still accept
// special strings: an address, or "all".
func accepted(transport ports.Transport, key string) schema {
	var ways []schema
	for _, sample := range samples {
		if accepts(transport, json.RawMessage(sample.value), key) {
			ways = append(ways, maps.Clone(sample.means))
		}
	}
	for _, special := range []struct{ value, pattern string }{
		{`"https://example.com/mcp"`, `^[hH][tT][tT][pP][sS]?://[^/?#]|\$\{`},
		{`"all"`, `^all$`},
	} {
		if !accepts(transport, json.RawMessage(`"text"`), key) && accepts(transport, json.RawMessage(special.value), key) {
			ways = append(ways, schema{"type": "string", "pattern": special.pattern})
		}
	}
	for _, way := range ways {
		if way["type"] == "string" && way["pattern"] == nil && !accepts(transport, json.RawMessage(`""`), key) {
			way["minLength"] = 1
		}
	}
	if len(ways) == 1 {
		return ways[0]
	}
	return schema{"anyOf": ways}
}

// accepts reports whether a transport's check finds nothing wrong with a value of a key,
// or with its absence.
func accepts(transport ports.Transport, value json.RawMessage, key string) bool {
	settings := map[string]json.RawMessage{}
	if value != nil {
		settings[key] = value
	}
	text, err := json.Marshal(settings)
	if err != nil {
		return false
	}
	return !slices.ContainsFunc(leaves(transport.Check(text)), func(err error) bool {
		problem, ok := errors.AsType[*domain.SettingError](err)
		return ok && len(problem.Key) > 0 && problem.Key[0] == key
	})
}
