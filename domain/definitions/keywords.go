package definitions

import (
	"strings"

	"mcp-workbench/domain/rawjson"
)

// isUnsaid reports whether a keyword of JSON Schema can refuse arguments and is never in a signature. Keywords that
// JSON Schema does not know are annotations.
func isUnsaid(keyword string) bool {
	switch keyword {
	case "not", "if", "then", "else", "dependentRequired", "dependentSchemas", "dependencies", "patternProperties",
		"contains", "minContains", "maxContains", "unevaluatedItems", "contentSchema", "$dynamicRef", "$recursiveRef",
		"extends", "disallow", "divisibleBy",
		"formatMinimum", "formatMaximum", "formatExclusiveMinimum", "formatExclusiveMaximum":
		return true
	}
	return false
}

// isRendered reports whether a signature contains a keyword, in types, limits, defaults and prose.
func isRendered(keyword string) bool {
	switch keyword {
	case "type", "properties", "required", "items", "prefixItems", "additionalItems", "enum", "const", "default", "nullable",
		"anyOf", "oneOf", "allOf", "$ref", "additionalProperties", "unevaluatedProperties", "propertyNames",
		"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern", "format",
		"contentEncoding", "contentMediaType", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties":
		return true
	}
	return false
}

// inspect looks for what a type cannot express: keywords that no signature says, and others with values that the
// renderer does not understand.
func (r *renderer) inspect(schema rawjson.Value) {
	if schema.Repeats() {
		r.lossy = true
	}
	for _, m := range schema.Parts {
		switch {
		case m.Name == "propertyNames":
			r.lossy = r.lossy || !allowsEveryName(m.Value)
		case isUnsaid(m.Name), isRendered(m.Name) && !understood(m):
			r.lossy = true
		}
	}
}

// allowsEveryName reports whether a schema of names only requires strings, as all names are.
func allowsEveryName(schema rawjson.Value) bool {
	for _, m := range schema.Parts {
		if m.Name != "type" || m.Text() != "string" {
			return false
		}
	}
	return schema.Kind == '{' || schema.Kind == 't'
}

// understood reports whether the value of a keyword has a kind that is meaningful for it.
func understood(m rawjson.Part) bool {
	switch m.Name {
	case "type", "required":
		return m.Kind == '[' || m.Kind == '"' && m.Name == "type"
	case "properties":
		return m.Kind == '{'
	case "enum", "anyOf", "oneOf", "allOf", "prefixItems":
		return m.Kind == '[' && len(m.Parts) > 0
	case "$ref":
		return m.Kind == '"'
	case "pattern", "format", "contentEncoding", "contentMediaType":
		text := m.Text()
		return m.Kind == '"' && commentLine(text) == text
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
		"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
		return m.Kind == '0' && len(m.Raw) <= maxLiteral
	case "unevaluatedProperties", "nullable", "uniqueItems":
		return m.Kind == 't' || m.Kind == 'f'
	}
	return true
}

// limits returns the limits of a schema as the text of a comment, "" when it has none.
func limits(schema rawjson.Value) string {
	var parts []string
	add := func(keyword, before, after string) {
		limit := schema.Member(keyword)
		if limit.Kind == '0' && len(limit.Raw) <= maxLiteral && !safeInteger(limit) {
			parts = append(parts, before+string(limit.Raw)+after)
		}
	}
	add("minimum", ">=", "")
	add("exclusiveMinimum", ">", "")
	add("maximum", "<=", "")
	add("exclusiveMaximum", "<", "")
	add("multipleOf", "multiple of ", "")
	add("minLength", ">=", " chars")
	add("maxLength", "<=", " chars")
	add("minItems", ">=", " items")
	add("maxItems", "<=", " items")
	add("minProperties", ">=", " members")
	add("maxProperties", "<=", " members")
	if schema.Member("uniqueItems").Kind == 't' {
		parts = append(parts, "unique")
	}
	for _, keyword := range []string{"format", "contentEncoding", "contentMediaType"} {
		if text := commentLine(schema.Member(keyword).Text()); text != "" {
			parts = append(parts, text)
		}
	}
	if pattern := commentLine(schema.Member("pattern").Text()); pattern != "" {
		parts = append(parts, "pattern "+pattern)
	}
	return strings.Join(parts, " ")
}

// commentLine returns text for a comment: clean, in one line, not too long.
func commentLine(text string) string {
	if text == "" {
		return ""
	}
	return commentText(shorten(line(clean(text)), maxLiteral))
}

// safeInteger reports whether a limit is that of integers in JavaScript, which libraries add
// to every integer and which tells a model nothing.
func safeInteger(limit rawjson.Value) bool {
	text := string(limit.Raw)
	return text == "9007199254740991" || text == "-9007199254740991"
}
