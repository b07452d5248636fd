package shell

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"mcp-workbench/domain/definitions"
	"mcp-workbench/domain/rawjson"
)

// Argument is an argument of a call on a command line: key=value or key:=json.
type Argument struct {
	Key, Value string
	// Raw is set when the value is JSON.
	Raw bool
}

// ParseArguments parses words of the form key=value and key:=json. It fails for other words, for a
// repeated key, and for a value that is not JSON.
func ParseArguments(words []string) ([]Argument, error) {
	var arguments []Argument
	for _, word := range words {
		key, value, found := strings.Cut(word, "=")
		name, raw := strings.CutSuffix(key, ":")
		switch {
		case strings.HasPrefix(word, "{"):
			return nil, fmt.Errorf("%q is neither key=value nor key:=json; --args takes one JSON object", word)
		case !found || name == "":
			return nil, fmt.Errorf("%q is neither key=value nor key:=json", word)
		case raw && !json.Valid([]byte(value)):
			return nil, fmt.Errorf("the value of %q is not JSON: %s", name, value)
		case slices.ContainsFunc(arguments, func(a Argument) bool { return a.Key == name }):
			return nil, fmt.Errorf("%q is given twice", name)
		}
		arguments = append(arguments, Argument{Key: name, Value: value, Raw: raw})
	}
	return arguments, nil
}

// Object returns the arguments as a JSON object. The input schema of the tool decides the type of
// values that are not Raw: a string if that is allowed or nothing is specified, otherwise the type of
// the value as JSON. It fails for values of other types.
func Object(arguments []Argument, definition json.RawMessage) (json.RawMessage, error) {
	// A definition that is not JSON specifies nothing.
	tool, _ := rawjson.Parse(definition)
	schema := tool.Member("inputSchema")
	var object rawjson.Object
	for _, argument := range arguments {
		value := []byte(argument.Value)
		if !argument.Raw {
			var allowed valueSchema
			allowed.add(schema, schema.Member("properties").Member(argument.Key), maxNesting)
			var err error
			if value, err = convert(argument, allowed); err != nil {
				return nil, err
			}
		}
		object = object.Raw(argument.Key, value)
	}
	return object.JSON(), nil
}

// ReadObject checks that text is a JSON object, and returns it without the space around it.
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

// valueSchema has the types and values that a schema allows.
type valueSchema struct {
	types  []string
	values [][]byte // the allowed values in JSON, none when any is
	read   int      // the number of schemas read
}

// maxNesting bounds how deep references and alternatives are followed, and maxSchemas how many
// are read.
const (
	maxNesting = 8
	maxSchemas = 1000
)

// add adds the types and values that a schema allows, following it up to a depth.
func (s *valueSchema) add(root, schema rawjson.Value, depth int) {
	if s.read++; depth == 0 || s.read > maxSchemas {
		return
	}
	s.types = append(s.types, schema.Member("type").Texts()...)
	for _, allowed := range schema.Member("enum").Elements() {
		s.values = append(s.values, allowed.Raw)
	}
	if constant := schema.Member("const"); constant.Exists() {
		s.values = append(s.values, constant.Raw)
	}
	if target, found := definitions.Resolve(root, schema.Member("$ref").Text()); found {
		s.add(root, target, depth-1)
	}
	for _, keyword := range []string{"anyOf", "oneOf", "allOf"} {
		for _, part := range schema.Member(keyword).Elements() {
			s.add(root, part.Value, depth-1)
		}
	}
}

// convert returns the value of an argument as JSON.
func convert(argument Argument, schema valueSchema) ([]byte, error) {
	text := rawjson.Quote(argument.Value)
	for _, allowed := range schema.values {
		if string(allowed) == argument.Value || rawjson.Kind(allowed) == '"' && rawjson.Text(allowed) == argument.Value {
			return allowed, nil
		}
	}
	if len(schema.types) == 0 || slices.Contains(schema.types, "string") {
		return text, nil
	}
	raw := []byte(argument.Value)
	if json.Valid(raw) && slices.Contains(schema.types, typeOf(raw)) ||
		json.Valid(raw) && typeOf(raw) == "integer" && slices.Contains(schema.types, "number") {
		return raw, nil
	}
	wanted := strings.Join(slices.Compact(slices.Sorted(slices.Values(schema.types))), " or ")
	return nil, fmt.Errorf("%q must be of the type %s, not %q; %s:=… takes any JSON", argument.Key, wanted, argument.Value, argument.Key)
}

// typeOf names the type of a valid JSON value, as JSON Schema does.
func typeOf(value []byte) string {
	switch rawjson.Kind(value) {
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
	if bytes.ContainsAny(value, ".eE") {
		return "number"
	}
	return "integer"
}
