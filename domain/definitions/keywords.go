package definitions

import "strings"

// annotations are the keywords of JSON Schema that refuse nothing, or that others
// refer to.
var annotations = map[string]bool{
	"$schema": true, "$id": true, "id": true, "$comment": true, "$defs": true, "definitions": true, "$anchor": true,
	"title": true, "description": true, "examples": true, "example": true, "deprecated": true, "readOnly": true,
	"writeOnly": true, "markdownDescription": true,
}

// said are the keywords that a type says, with its limits, its default and its prose.
var said = map[string]bool{
	"type": true, "properties": true, "required": true, "items": true, "prefixItems": true, "additionalItems": true,
	"enum": true, "const": true, "default": true, "nullable": true, "anyOf": true, "oneOf": true, "allOf": true,
	"$ref": true, "additionalProperties": true, "unevaluatedProperties": true,
	"minimum": true, "maximum": true, "exclusiveMinimum": true, "exclusiveMaximum": true, "multipleOf": true,
	"minLength": true, "maxLength": true, "pattern": true, "format": true, "contentEncoding": true,
	"contentMediaType": true, "minItems": true, "maxItems": true, "uniqueItems": true, "minProperties": true,
	"maxProperties": true,
}

// inspect looks for what a type cannot say: keywords that are none of the above, and
// above ones in forms of which the renderer does not know what they mean.
func (r *renderer) inspect(schema value) {
	if schema.repeats() {
		r.lossy = true
	}
	for _, m := range schema.members {
		switch {
		case annotations[m.name]:
		case m.name == "propertyNames":
			r.lossy = r.lossy || !saysOnlyString(m.value)
		case !said[m.name], !understood(m):
			r.lossy = true
		}
	}
}

// saysOnlyString reports whether a schema of names says only that they are strings,
// which every name is.
func saysOnlyString(schema value) bool {
	for _, m := range schema.members {
		if m.name != "type" || m.text() != "string" {
			return false
		}
	}
	return schema.kind == kindObject || schema.kind == kindTrue
}

// understood reports whether the value of a keyword is of a kind that it has a
// meaning for.
func understood(m member) bool {
	switch m.name {
	case "type", "required":
		return m.kind == kindArray || m.kind == kindString && m.name == "type"
	case "properties":
		return m.kind == kindObject
	case "enum", "anyOf", "oneOf", "allOf", "prefixItems":
		return m.kind == kindArray && len(m.members) > 0
	case "$ref":
		return m.kind == kindString
	case "pattern", "format", "contentEncoding", "contentMediaType":
		text := m.text()
		return m.kind == kindString && commentLine(text) == text
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
		"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
		return m.kind == kindNumber && len(m.raw) <= maxLiteral
	case "unevaluatedProperties", "nullable", "uniqueItems":
		return m.kind == kindTrue || m.kind == kindFalse
	}
	return true
}

// limits returns the limits of a schema as text for a comment, "" when it has none.
func limits(schema value) string {
	var parts []string
	add := func(keyword, before, after string) {
		limit := schema.member(keyword)
		if limit.kind == kindNumber && len(limit.raw) <= maxLiteral && !safeInteger(limit) {
			parts = append(parts, before+string(limit.raw)+after)
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
	if schema.member("uniqueItems").kind == kindTrue {
		parts = append(parts, "unique")
	}
	for _, keyword := range []string{"format", "contentEncoding", "contentMediaType"} {
		if text := commentLine(schema.member(keyword).text()); text != "" {
			parts = append(parts, text)
		}
	}
	if pattern := commentLine(schema.member("pattern").text()); pattern != "" {
		parts = append(parts, "pattern "+pattern)
	}
	return strings.Join(parts, " ")
}

// commentLine returns text as a comment shows it: clean, one line, not too long.
func commentLine(text string) string {
	if text == "" {
		return ""
	}
	return commentText(shorten(line(clean(text)), maxLiteral))
}

// safeInteger reports whether a limit is the one of integers in JavaScript, which
// libraries write to every integer and which tells nobody anything.
func safeInteger(limit value) bool {
	text := string(limit.raw)
	return text == "9007199254740991" || text == "-9007199254740991"
}
