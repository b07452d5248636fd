package shell

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Argument is an argument of a call as a person writes it: key=value or key:=json.
type Argument struct {
	Key, Value string
	// Raw says that the value is JSON.
	Raw bool
}

// ParseArguments reads key=value and key:=json. Failures say which word is neither, is
// there twice, or holds no JSON.
func ParseArguments(words []string) ([]Argument, error) {
	var arguments []Argument
	for _, word := range words {
		key, value, found := strings.Cut(word, "=")
		name, raw := strings.CutSuffix(key, ":")
		switch {
		case !found || name == "":
			return nil, fmt.Errorf("%q is neither key=value nor key:=json", word)
		case raw && !json.Valid([]byte(value)):
			return nil, fmt.Errorf("the value of %q is not JSON: %s", name, value)
		case slices.ContainsFunc(arguments, func(a Argument) bool { return a.Key == name }):
			return nil, fmt.Errorf("%q is there twice", name)
		}
		arguments = append(arguments, Argument{Key: name, Value: value, Raw: raw})
	}
	return arguments, nil
}

// Object returns the arguments as a JSON object. A value that is no JSON gets the type
// that the input schema of the tool gives its key: a text where texts are allowed or the
// schema says nothing, else a number, true, false or null. Failures say what is wanted.
func Object(arguments []Argument, definition json.RawMessage) (json.RawMessage, error) {
	var tool struct {
		InputSchema json.RawMessage `json:"inputSchema"`
	}
	// A definition that cannot be read says nothing about arguments.
	_ = json.Unmarshal(definition, &tool)
	var object bytes.Buffer
	object.WriteByte('{')
	for i, argument := range arguments {
		value := json.RawMessage(argument.Value)
		if !argument.Raw {
			var err error
			if value, err = convert(argument, schemaOf(tool.InputSchema, argument.Key)); err != nil {
				return nil, err
			}
		}
		key, err := json.Marshal(argument.Key)
		if err != nil {
			return nil, fmt.Errorf("write the key %q: %w", argument.Key, err)
		}
		if i > 0 {
			object.WriteByte(',')
		}
		object.Write(key)
		object.WriteByte(':')
		object.Write(value)
	}
	object.WriteByte('}')
	return object.Bytes(), nil
}

// ReadObject reads a JSON object that a person wrote whole.
func ReadObject(text []byte) (json.RawMessage, error) {
	text = bytes.TrimSpace(text)
	switch {
	case !json.Valid(text):
		return nil, errors.New("the arguments are not valid JSON")
	case text[0] != '{':
		return nil, errors.New("the arguments must be a JSON object")
	}
	return text, nil
}

// valueSchema is what a schema says about the types of a value.
type valueSchema struct {
	types  []string
	values []json.RawMessage // that are allowed, none when all are
}

// maxNesting bounds how far references and alternatives are followed.
const maxNesting = 8

// schemaOf returns what an input schema says about one of its properties.
func schemaOf(root json.RawMessage, key string) valueSchema {
	var object struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	var found valueSchema
	if json.Unmarshal(root, &object) == nil {
		found.read(root, object.Properties[key], maxNesting)
	}
	return found
}

func (s *valueSchema) read(root, schema json.RawMessage, depth int) {
	var keywords struct {
		Type  json.RawMessage   `json:"type"`
		Enum  []json.RawMessage `json:"enum"`
		Const json.RawMessage   `json:"const"`
		Ref   string            `json:"$ref"`
		AnyOf []json.RawMessage `json:"anyOf"`
		OneOf []json.RawMessage `json:"oneOf"`
		AllOf []json.RawMessage `json:"allOf"`
	}
	if depth == 0 || json.Unmarshal(schema, &keywords) != nil {
		return
	}
	var one string
	var many []string
	switch {
	case json.Unmarshal(keywords.Type, &one) == nil:
		s.types = append(s.types, one)
	case json.Unmarshal(keywords.Type, &many) == nil:
		s.types = append(s.types, many...)
	}
	s.values = append(s.values, keywords.Enum...)
	if keywords.Const != nil {
		s.values = append(s.values, keywords.Const)
	}
	if keywords.Ref != "" {
		s.read(root, resolve(root, keywords.Ref), depth-1)
	}
	for _, alternative := range slices.Concat(keywords.AnyOf, keywords.OneOf, keywords.AllOf) {
		s.read(root, alternative, depth-1)
	}
}

// resolve returns the schema that a reference within the same schema leads to, nil when
// it leads nowhere.
func resolve(root json.RawMessage, reference string) json.RawMessage {
	path, local := strings.CutPrefix(reference, "#/")
	if !local {
		return nil
	}
	for name := range strings.SplitSeq(path, "/") {
		var object map[string]json.RawMessage
		if json.Unmarshal(root, &object) != nil {
			return nil
		}
		root = object[strings.NewReplacer("~1", "/", "~0", "~").Replace(name)]
	}
	return root
}

// convert returns the JSON that the value of an argument means.
func convert(argument Argument, schema valueSchema) (json.RawMessage, error) {
	text, err := json.Marshal(argument.Value)
	if err != nil {
		return nil, fmt.Errorf("write the value of %q: %w", argument.Key, err)
	}
	for _, allowed := range schema.values {
		if string(allowed) == string(text) || string(allowed) == argument.Value {
			return allowed, nil
		}
	}
	if len(schema.types) == 0 || slices.Contains(schema.types, "string") {
		return text, nil
	}
	raw := json.RawMessage(argument.Value)
	if json.Valid(raw) && slices.Contains(schema.types, typeOf(raw)) ||
		json.Valid(raw) && typeOf(raw) == "integer" && slices.Contains(schema.types, "number") {
		return raw, nil
	}
	wanted := strings.Join(slices.Compact(slices.Sorted(slices.Values(schema.types))), " or ")
	return nil, fmt.Errorf("%q must be of the type %s, not %q; %s:=… takes any JSON", argument.Key, wanted, argument.Value, argument.Key)
}

// typeOf names the type of a valid JSON value, as JSON Schema does.
func typeOf(value json.RawMessage) string {
	trimmed := bytes.TrimSpace(value)
	switch trimmed[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	if bytes.ContainsAny(trimmed, ".eE") {
		return "number"
	}
	return "integer"
}
