package config

import (
	"reflect"

	"mcp-workbench/adapters/config/keys"
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

// schemaWriter writes the schemas of objects from the tags of their keys.
type schemaWriter struct {
	transports map[string]ports.Transport
	// roots are the keys of the root.
	roots    keys.Set
	describe Describe
}

// objectSchema returns the schema of an object that has no other properties, except for keys that begin with "_" or
// "$", which are for people and editors.
func objectSchema(properties schema, required ...string) schema {
	object := schema{
		"type": "object", "properties": properties, "patternProperties": schema{ignoredKeys: true}, "additionalProperties": false,
	}
	if len(required) > 0 {
		object["required"] = required
	}
	return object
}

const ignoredKeys = "^[_$]"

// namesSchema returns the schema of an object whose keys are names of toolboxes or servers. value is the definition of
// their values.
func namesSchema(value string) schema {
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
func (w schemaWriter) object(at keyPlace, legal keys.Set, standard reflect.Value) schema {
	properties := schema{}
	var required []string
	for _, key := range legal {
		value := key.SchemaOf(w.value(at, key, standard))
		if key.HasDefault && value["default"] == nil {
			value["default"] = key.Default
			if value["type"] == "boolean" || key.Is(keys.Switch) {
				value["default"] = key.Default == "true"
			}
		}
		properties[key.Name] = w.withDescription(at, key, value)
		if key.Required != "" {
			required = append(required, key.Name)
		}
	}
	return objectSchema(properties, required...)
}

// withDescription returns the schema of a key with the description of the key. The topic describes some keys of a toolbox
// or a server only at the root, which has them too.
func (w schemaWriter) withDescription(at keyPlace, key keys.Key, value schema) schema {
	text := key.About
	if !key.IsAside {
		text = w.describe(DescribedKey{at.name, at.path + key.Name, key.Is(keys.Harmless) || at.name == "limits"})
	}
	if rootKey, isRoots := w.roots.Get(key.Name); text == "" && isRoots && (at.name == "toolbox" || at.name == "server") {
		text = w.describe(DescribedKey{"root", key.Name, rootKey.Is(keys.Harmless)})
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

// value returns the schema of the values of a key that its kind and its tags make. Its default is in a field of standard.
func (w schemaWriter) value(at keyPlace, key keys.Key, standard reflect.Value) schema {
	if own, ok := reflect.Zero(key.Type).Interface().(schemer); ok {
		return own.schema(w, at)
	}
	switch key.Kind {
	case keys.Number:
		value := key.Bounds.JSONSchema()
		if key.HasDefault {
			number, _ := key.Bounds.Value(key.Default)
			value["default"] = key.Bounds.InUnit(number)
		} else if standard.IsValid() && !standard.FieldByName(key.Field).IsZero() {
			value["default"] = key.Bounds.InUnit(standard.FieldByName(key.Field).Int())
		}
		return value
	case keys.Word:
		return schema{"enum": key.Words}
	case keys.Bool:
		return schema{"type": "boolean"}
	case keys.Object:
		field := reflect.Zero(key.Type)
		if key.Is(keys.Switch) {
			field = standard.FieldByName(key.Field)
		}
		object := w.object(at.below(key.Name), key.Keys(), field)
		if key.Is(keys.Switch) {
			return schema{"anyOf": []schema{{"type": "boolean"}, object}}
		}
		return object
	case keys.Named:
		entry := w.object(at.below(key.Name), key.Keys(), reflect.Zero(key.Type.Elem()))
		named := schema{"type": "object", "additionalProperties": entry}
		if key.Type.Kind() == reflect.Slice {
			named["patternProperties"] = schema{ignoredKeys: true}
		}
		return named
	case keys.Pairs:
		return schema{"type": "object", "additionalProperties": schema{"type": "string"}}
	case keys.Texts:
		return schema{"type": "array", "items": textSchema(key)}
	}
	return textSchema(key)
}

// textSchema returns the schema of a text, or of the texts of a list.
func textSchema(key keys.Key) schema {
	text := schema{"type": "string"}
	if key.Pattern != "" {
		text["pattern"] = key.Pattern
	}
	if key.Not != "" {
		text["not"] = schema{"pattern": key.Not}
	}
	if key.Fits != nil {
		text["minLength"] = 1
	}
	return text
}

// boxes and servers are objects of toolboxes and of servers by name.
type (
	boxes   struct{}
	servers struct{}
)

func (boxes) schema(schemaWriter, keyPlace) schema { return namesSchema("toolbox") }

func (servers) schema(schemaWriter, keyPlace) schema {
	named := namesSchema("server")
	named["minProperties"] = 1
	return named
}
