package definitions_test

import (
	"encoding/json"
	"math/rand/v2"
	"strconv"

	. "github.com/onsi/gomega"
)

// chance makes random schemas, and arguments that often keep them.
type chance struct{ *rand.Rand }

type object = map[string]any

var randomNames = []string{"a", "b", "c", "path", "with space", "x-y", "ü", "quo\"te", "new\nline", "1", "$ref", "type", "esc\x1b[0m", "*/"}

func (c chance) name() string { return randomNames[c.IntN(len(randomNames))] }

func (c chance) likely() bool { return c.IntN(4) > 0 }

func (c chance) rarely() bool { return c.IntN(8) == 0 }

// toolSchema makes the schema of arguments.
func (c chance) toolSchema() object {
	schema := c.object(3)
	schema["type"] = "object"
	if c.rarely() {
		schema["anyOf"] = []any{object{"required": []any{c.name()}}, object{"required": []any{c.name()}}}
	}
	if c.rarely() {
		schema["allOf"] = []any{c.object(1), c.object(1)}
	}
	schema["$defs"] = object{"leaf": c.scalar(), "self": object{"type": "object", "properties": object{"self": object{"$ref": "#/$defs/self"}}}}
	return schema
}

func (c chance) object(depth int) object {
	schema, properties := object{}, object{}
	for range c.IntN(5) {
		properties[c.name()] = c.schema(depth - 1)
	}
	if c.likely() {
		schema["properties"] = properties
	}
	var required []any
	for name := range properties {
		if c.IntN(2) == 0 {
			required = append(required, name)
		}
	}
	if c.rarely() {
		required = append(required, "undescribed")
	}
	if len(required) > 0 {
		schema["required"] = required
	}
	switch c.IntN(6) {
	case 0:
		schema["additionalProperties"] = false
	case 1:
		schema["additionalProperties"] = c.schema(depth - 1)
	}
	return schema
}

func (c chance) schema(depth int) any {
	if depth <= 0 {
		return c.scalar()
	}
	switch c.IntN(12) {
	case 0, 1:
		schema := c.object(depth)
		schema["type"] = "object"
		return schema
	case 2, 3:
		return object{"type": "array", "items": c.schema(depth - 1)}
	case 4:
		return object{"anyOf": []any{c.schema(depth - 1), c.schema(depth - 1)}}
	case 5:
		return object{"oneOf": []any{c.scalar(), c.schema(depth - 1)}}
	case 6:
		return object{"$ref": "#/$defs/" + []string{"leaf", "self"}[c.IntN(2)]}
	case 7:
		return object{"allOf": []any{c.schema(depth - 1)}, "description": "Only when 5 */ is given, e.g. as JSON."}
	case 8:
		return []any{true, object{}, object{"not": c.scalar()}, object{"type": "array", "prefixItems": []any{c.scalar()}}}[c.IntN(4)]
	}
	return c.scalar()
}

func (c chance) scalar() object {
	schema := object{"type": []string{"string", "number", "integer", "boolean", "null"}[c.IntN(5)]}
	switch c.IntN(8) {
	case 0:
		schema = object{"enum": []any{"x", "y\"z", 1, nil, true, "a b"}[:1+c.IntN(6)]}
	case 1:
		schema = object{"const": []any{"x", 2.5, nil, []any{"x", 1}, object{"k": "v"}}[c.IntN(5)]}
	case 2:
		schema = object{"type": []any{"string", "null"}, "minLength": 1}
	case 3:
		schema["description"] = "Must be right. Never wrong."
		schema["default"] = c.value(1)
	case 4:
		schema["minimum"] = c.IntN(3)
	}
	return schema
}

func (c chance) value(depth int) any {
	switch c.IntN(9) {
	case 0:
		return nil
	case 1:
		return c.IntN(2) == 0
	case 2:
		return c.IntN(3)
	case 3:
		return 2.5
	case 4:
		if depth > 0 {
			return []any{c.value(depth - 1)}
		}
	case 5:
		if depth > 0 {
			return object{c.name(): c.value(depth - 1)}
		}
	}
	return []string{"x", "y\"z", "a b", "", strconv.Itoa(c.IntN(5))}[c.IntN(5)]
}

// valueFor makes a value that a schema is likely to accept.
func (c chance) valueFor(schema any, root object, depth int) any {
	s, ok := schema.(object)
	if !ok || depth <= 0 || c.rarely() {
		return c.value(2)
	}
	for _, keyword := range []string{"anyOf", "oneOf", "allOf", "enum"} {
		if list, has := s[keyword].([]any); has {
			chosen := list[c.IntN(len(list))]
			if keyword == "enum" {
				return chosen
			}
			if s["type"] == nil {
				return c.valueFor(chosen, root, depth-1)
			}
		}
	}
	if constant, has := s["const"]; has {
		return constant
	}
	if reference, has := s["$ref"].(string); has {
		return c.valueFor(root["$defs"].(object)[reference[len("#/$defs/"):]], root, depth-1)
	}
	switch s["type"] {
	case "string":
		return []string{"x", "y\"z", "long enough"}[c.IntN(3)]
	case "number":
		return []any{1, 2.5, 7}[c.IntN(3)]
	case "integer":
		return c.IntN(9)
	case "boolean":
		return c.IntN(2) == 0
	case "null":
		return nil
	case "array":
		list := []any{}
		for range c.IntN(3) {
			list = append(list, c.valueFor(s["items"], root, depth-1))
		}
		return list
	}
	return c.objectFor(s, root, depth)
}

func (c chance) objectFor(s, root object, depth int) object {
	made := object{}
	properties, _ := s["properties"].(object)
	for name, schema := range properties {
		if c.likely() {
			made[name] = c.valueFor(schema, root, depth-1)
		}
	}
	required, _ := s["required"].([]any)
	for _, name := range required {
		if _, there := made[name.(string)]; !there && c.likely() {
			made[name.(string)] = c.valueFor(properties[name.(string)], root, depth-1)
		}
	}
	if c.rarely() {
		made[c.name()] = c.value(1)
	}
	return made
}

// jsonOf writes a value as JSON.
func jsonOf(v any) string {
	text, err := json.Marshal(v)
	Expect(err).NotTo(HaveOccurred())
	return string(text)
}
