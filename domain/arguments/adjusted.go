package arguments

import (
	"encoding/json"
	"slices"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// Adjusted returns the arguments that the server gets: without those that a model must not set, and
// with the fixed ones. The others keep their bytes. Text that is not a JSON object counts as an empty one.
func Adjusted(tool domain.ToolInfo, arguments json.RawMessage) json.RawMessage {
	return Redacted(tool, arguments, nil)
}

// Redacted is Adjusted for display to a user. Redact redacts the strings in fixed arguments; it can be
// nil.
func Redacted(tool domain.ToolInfo, arguments json.RawMessage, redact func(string) string) json.RawMessage {
	if tool.Adjusted == nil {
		return arguments
	}
	sent := Settable(tool, arguments)
	for _, fixed := range tool.Adjusted.Fixed {
		sent = rawjson.WithLast(sent, fixed.Name, redactedValue(fixed.Value, redact))
	}
	return sent
}

// Settable returns the arguments without those that a model must not set: the fixed and the hidden ones. Since
// some servers ignore the case of names, it also leaves out those whose names differ from theirs only in
// case, unless these are parameters of their own.
func Settable(tool domain.ToolInfo, arguments json.RawMessage) json.RawMessage {
	if tool.Adjusted == nil {
		return arguments
	}
	isObject := rawjson.EachMember(arguments, func(_, _ []byte) error { return nil }) == nil
	if !isObject {
		return json.RawMessage("{}")
	}
	return rawjson.EditMembers(arguments, func(name string, value []byte) []byte {
		if keepsVariant(tool.Adjusted.ToolAdjustment, name) && !slices.Contains(tool.Adjusted.Distinct, name) {
			return nil
		}
		return value
	})
}

// redactedValue returns a value with its strings redacted.
func redactedValue(value json.RawMessage, redact func(string) string) json.RawMessage {
	switch {
	case redact == nil:
		return value
	case rawjson.Kind(value) == '"':
		return rawjson.Quote(redact(rawjson.Text(value)))
	case rawjson.Kind(value) == '{':
		return rawjson.EditMembers(value, func(_ string, value []byte) []byte { return redactedValue(value, redact) })
	case rawjson.Kind(value) == '[':
		return rawjson.EditElements(value, func(value []byte) []byte { return redactedValue(value, redact) })
	}
	return value
}
