package config

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// DescribedKey is a key that the help topic about the configuration describes.
type DescribedKey struct {
	// Place is "root", "toolbox", "server" or the key that contains it, such as "limits" or "oauth".
	Place string
	// Name is the key, or its path below the place: "auth.issuer".
	Name string
	// IsHarmless says that it decides nothing that a user has to know before trusting a file.
	IsHarmless bool
}

// Describe returns the description of a key, "" if it has none.
type Describe func(key DescribedKey) string

// TopicSection returns the heading under which the help topic about the configuration describes the keys of a
// place.
func TopicSection(place string) string {
	switch place {
	case "root":
		return "Keys at the root"
	case "limits":
		return "Limits"
	case "toolbox", "server":
		return "Keys of a " + place
	}
	return "Keys of " + place
}

// schema is a JSON Schema, as an object whose members encoding/json sorts.
type schema = map[string]any

// SchemaTitle is the title of the schema, which distinguishes it from other schemas.
const SchemaTitle = "Configuration of MCP Workbench"

// Schema returns the JSON Schema (2020-12) of the configuration. It is made from the tags of keys by which a configuration
// is read. Some mistakes are only found when a
// configuration is loaded: keys that occur twice, limits with units that are out of bounds, variables, and two
// keys for a transport that differ.
func Schema(transports map[string]ports.Transport, describe Describe) (json.RawMessage, error) {
	w := schemaWriter{transports: transports, describe: describe}
	root := w.root()
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = SchemaTitle
	root["$defs"] = schema{"limits": w.limits(), "toolbox": w.toolbox(), "server": w.server()}
	text, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write the schema: %w", err)
	}
	return append(text, '\n'), nil
}

type schemaWriter struct {
	transports map[string]ports.Transport
	describe   Describe
}

// closed returns the schema of an object that has no other properties, except for keys that begin with "_" or
// "$", which are for people and editors.
func closed(properties schema, required ...string) schema {
	object := schema{
		"type": "object", "properties": properties, "patternProperties": schema{ignoredKeys: true}, "additionalProperties": false,
	}
	if len(required) > 0 {
		object["required"] = required
	}
	return object
}

const ignoredKeys = "^[_$]"

// named returns the schema of an object whose keys are names of toolboxes or servers. value is the definition of
// their values.
func named(value string) schema {
	return schema{
		"type":                 "object",
		"patternProperties":    schema{ignoredKeys: true},
		"additionalProperties": schema{"$ref": "#/$defs/" + value},
		"propertyNames": schema{"anyOf": []schema{
			{"pattern": ignoredKeys}, {"minLength": 1, "not": schema{"pattern": `__|[\x00-\x1f\x7f]`}},
		}},
	}
}

// keyPlace is where the keys of an object are: a place (DescribedKey), and the path below it with its dot.
type keyPlace struct{ name, path string }

// below returns the place of the keys of an object that is the value of a key.
func (p keyPlace) below(key string) keyPlace {
	if p.name == "root" || p.name == "server" {
		return keyPlace{name: key}
	}
	return keyPlace{p.name, p.path + key + "."}
}

// object returns the schema of an object with keys. Standard has the defaults of their fields.
func (w schemaWriter) object(at keyPlace, keys keys, standard reflect.Value) schema {
	properties := schema{}
	var required []string
	for _, key := range keys {
		value := w.value(at, key, standard)
		if standard, ok := key.Tag.Lookup("default"); ok && value["default"] == nil {
			value["default"] = standard
			if value["type"] == "boolean" || key.has("switch") {
				value["default"] = standard == "true"
			}
		}
		properties[key.name] = w.described(at, key, value)
		if key.Tag.Get("required") != "" {
			required = append(required, key.name)
		}
	}
	return closed(properties, required...)
}

// described returns the schema of a key with the description of the key. The topic describes some keys of a toolbox
// or a server only at the root, which has them too.
func (w schemaWriter) described(at keyPlace, key key, value schema) schema {
	text, ok := key.Tag.Lookup("about")
	if !ok {
		text = w.describe(DescribedKey{at.name, at.path + key.name, key.has("harmless") || at.name == "limits"})
	}
	if rootKey, isRoots := rootKeys.get(key.name); text == "" && isRoots && (at.name == "toolbox" || at.name == "server") {
		text = w.describe(DescribedKey{"root", key.name, rootKey.has("harmless")})
	}
	if text != "" {
		value["description"] = text
	}
	return value
}

// schemer is a value with a schema that its kind and its tag do not say.
type schemer interface {
	schema(w schemaWriter, at keyPlace) schema
}

// value returns the schema of the values of a key, whose default is in a field of standard.
func (w schemaWriter) value(at keyPlace, key key, standard reflect.Value) schema {
	value := w.valueOfKind(at, key, standard)
	if own, ok := reflect.Zero(key.Type).Interface().(ownSchema); ok {
		return own.JSONSchema(value)
	}
	return value
}

// valueOfKind returns the schema that the kind and the tag of a key make.
func (w schemaWriter) valueOfKind(at keyPlace, key key, standard reflect.Value) schema {
	kind := key.Type
	if kind.Kind() == reflect.Pointer {
		kind = kind.Elem()
	}
	if own, ok := reflect.Zero(kind).Interface().(schemer); ok {
		return own.schema(w, at)
	}
	switch {
	case key.bounds != nil:
		value := key.bounds.schema()
		if text, ok := key.Tag.Lookup("default"); ok {
			number, _ := key.bounds.value(text)
			value["default"] = float64(number) / key.bounds.each
		} else if number := standard.FieldByName(key.Name); !number.IsZero() {
			value["default"] = float64(number.Int()) / key.bounds.each
		}
		return value
	case len(key.words) > 0:
		return schema{"enum": key.words}
	case kind.Kind() == reflect.Bool:
		return schema{"type": "boolean"}
	case kind.Kind() == reflect.Struct:
		field := reflect.Zero(kind)
		if key.has("switch") {
			field = standard.FieldByName(key.Name)
		}
		object := w.object(at.below(key.name), keysOf(kind), field)
		if key.has("switch") {
			return schema{"anyOf": []schema{{"type": "boolean"}, object}}
		}
		return object
	case kind.Kind() == reflect.Map && kind.Elem().Kind() == reflect.Struct:
		return schema{"type": "object", "additionalProperties": w.object(at.below(key.name), keysOf(kind.Elem()), reflect.Zero(kind.Elem()))}
	case kind.Kind() == reflect.Slice && kind.Elem().Kind() == reflect.Struct: // named in the file
		entry := w.object(at.below(key.name), keysOf(kind.Elem()), reflect.Zero(kind.Elem()))
		return schema{"type": "object", "patternProperties": schema{ignoredKeys: true}, "additionalProperties": entry}
	case kind.Kind() == reflect.Map:
		return schema{"type": "object", "additionalProperties": schema{"type": "string"}}
	}
	text := schema{"type": "string"}
	if pattern := key.Tag.Get("pattern"); pattern != "" {
		text["pattern"] = pattern
	}
	if not := key.Tag.Get("not"); not != "" {
		text["not"] = schema{"pattern": not}
	}
	if key.Tag.Get("form") != "" {
		text["minLength"] = 1
	}
	if kind.Kind() == reflect.Slice {
		return schema{"type": "array", "items": text}
	}
	return text
}

// schema returns the schema of a number within the bounds.
func (b *bounds) schema() schema {
	number := schema{"type": b.kind, "minimum": b.min}
	if b.unit == durations && b.min > 0 {
		delete(number, "minimum")
		number["exclusiveMinimum"] = 0 // any duration above 0 is legal
	}
	if b.max < math.MaxInt64 {
		number["maximum"] = float64(b.max) / b.each
	}
	return schema{"anyOf": []schema{number, {"type": "string", "pattern": b.pattern}}}
}

// limitsObject is an object of limits.
type limitsObject struct{}

func (limitsObject) schema(schemaWriter, keyPlace) schema { return schema{"$ref": "#/$defs/limits"} }

// limits returns the schema of the object of limits.
func (w schemaWriter) limits() schema {
	return w.object(keyPlace{limitsKey, limitsKey + "."}, limitKeys, reflect.ValueOf(domain.DefaultLimits()))
}

// inherited is the value of inheritEnv, as standard JSON.
type inherited json.RawMessage

func (inherited) schema(schemaWriter, keyPlace) schema {
	return schema{"anyOf": []schema{{"type": "boolean"}, {"const": "all"}, {"type": "array", "items": schema{"type": "string"}}}}
}

// boxes and servers are objects of toolboxes and of servers by name.
type (
	boxes   struct{}
	servers struct{}
)

func (boxes) schema(schemaWriter, keyPlace) schema { return named("toolbox") }

func (servers) schema(schemaWriter, keyPlace) schema {
	named := named("server")
	named["minProperties"] = 1
	return named
}

func (w schemaWriter) root() schema {
	root := w.object(keyPlace{name: "root"}, rootKeys, reflect.ValueOf(standardRoot))
	root["required"] = []string{toolboxesKey}
	root["examples"] = []schema{{toolboxesKey: schema{"files": schema{
		"description": "Read and write files of the project",
		mcpServersKey: schema{"filesystem": schema{
			commandKey: "npx", "args": []string{"-y", "@modelcontextprotocol/server-filesystem", "${PROJECT_ROOT:-/home/me/project}"},
		}},
	}}}}
	return root
}

// toolbox returns the schema of a toolbox. A disabled toolbox is not checked.
func (w schemaWriter) toolbox() schema {
	return schema{"type": "object", "if": isDisabled, "else": w.object(keyPlace{name: "toolbox"}, toolboxKeys, reflect.Value{})}
}

// isDisabled is the condition under which a toolbox or a server is left out.
var isDisabled = schema{"properties": schema{disabledKey: schema{"const": true}}, "required": []string{disabledKey}}

// server returns the schema of a server. A disabled server is not checked.
func (w schemaWriter) server() schema {
	var kinds []schema
	for _, kind := range slices.Sorted(maps.Keys(w.transports)) {
		kinds = append(kinds, schema{"if": isOfKind(kind), "then": w.serverOf(kind)})
	}
	return schema{
		"type": "object",
		"if":   isDisabled,
		"else": schema{
			"properties": schema{"transport": schema{"enum": w.kindNames()}, "type": schema{"enum": w.kindNames()}},
			"not":        schema{"required": []string{commandKey, urlKey}},
			"allOf":      kinds,
		},
	}
}

// kindNames returns the names of all kinds, including those that hosts use.
func (w schemaWriter) kindNames() []string {
	names := slices.Collect(maps.Keys(w.transports))
	return slices.Sorted(slices.Values(append(names, slices.Collect(maps.Keys(kindAliases))...)))
}

// isOfKind returns the condition under which a server is of a kind, as kind.go decides it.
func isOfKind(kind string) schema {
	names := []string{kind}
	for alias, meant := range kindAliases {
		if meant == kind {
			names = append(names, alias)
		}
	}
	slices.Sort(names)
	var ways []schema
	for _, key := range []string{"transport", "type"} {
		ways = append(ways, schema{"properties": schema{key: schema{"enum": names}}, "required": []string{key}})
	}
	unnamed := []schema{{"not": schema{"required": []string{"transport"}}}, {"not": schema{"required": []string{"type"}}}}
	switch kind {
	case "http":
		ways = append(ways, schema{"allOf": unnamed, "required": []string{urlKey}})
	case "stdio":
		ways = append(ways, schema{"allOf": append(unnamed, schema{"not": schema{"required": []string{urlKey}}})})
	}
	return schema{"anyOf": ways}
}

// serverOf returns the schema of a server of a kind.
func (w schemaWriter) serverOf(kind string) schema {
	legal := append(keysOf(reflect.TypeOf(w.transports[kind].Settings())), commonKeys...)
	object := w.object(keyPlace{name: "server"}, legal, reflect.Value{})
	for name := range withoutEffect {
		object["properties"].(schema)[name] = schema{"deprecated": true, "description": "Has no effect here."}
	}
	return object
}
