package streamablehttp

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/downstream/web"
	"mcp-workbench/domain/rawjson"
)

// annotation marks a property of a tool's arguments that calls to a server of 2026-07-28 repeat in a
// header (SEP-2243).
const annotation = "x-mcp-header"

// An argumentHeader is a header that repeats an argument of a call.
type argumentHeader struct {
	path []string // property names, outermost first
	name string
}

var errMisplaced = errors.New(annotation + " can only be applied to properties that are reached through \"properties\" alone")

// argumentHeaders returns the headers that a tool's schema asks for. An annotation must be the unique
// name of a header, on a string, integer or boolean property. The property must be reached through
// properties alone, so that it has one value.
func argumentHeaders(schema json.RawMessage) ([]argumentHeader, error) {
	var decoded any
	if err := json.Unmarshal(schema, &decoded); err != nil {
		return nil, fmt.Errorf("read the schema: %w", err)
	}
	r := annotationReader{}
	err := r.schema(decoded, []string{})
	return r.headers, err
}

type annotationReader struct{ headers []argumentHeader }

// schema reads a schema, or an array of schemas, and the schemas inside. Path is that of the property
// that the schema describes: empty for the arguments as a whole, nil where annotations are invalid.
func (r *annotationReader) schema(schema any, path []string) error {
	switch schema := schema.(type) {
	case []any:
		for _, element := range schema {
			if err := r.schema(element, nil); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, keyword := range slices.Sorted(maps.Keys(schema)) {
			if err := r.keyword(keyword, schema, path); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *annotationReader) keyword(keyword string, schema map[string]any, path []string) error {
	switch value := schema[keyword]; keyword {
	case annotation:
		return r.annotate(path, schema)
	case "properties":
		return r.named(value, path)
	case "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions":
		return r.named(value, nil)
	case "const", "default", "dependentRequired", "enum", "examples": // not schemas
		return nil
	default:
		return r.schema(value, nil)
	}
}

// named reads an object whose members are schemas.
func (r *annotationReader) named(schemas any, path []string) error {
	named, _ := schemas.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(named)) {
		var inner []string
		if path != nil {
			inner = append(slices.Clip(path), name)
		}
		if err := r.schema(named[name], inner); err != nil {
			return err
		}
	}
	return nil
}

func (r *annotationReader) annotate(path []string, property map[string]any) error {
	if len(path) == 0 {
		return errMisplaced
	}
	at := strings.Join(path, ".")
	if !isPrimitive(property["type"]) {
		return fmt.Errorf("property %q: %s can only be applied to primitive types (integer, string, boolean)", at, annotation)
	}
	name, _ := property[annotation].(string)
	if !web.IsHeaderName(name) {
		return fmt.Errorf("property %q: %s must be the name of a header, found %.80q", at, annotation, name)
	}
	name = mcp.HeaderParamPrefix + name
	if slices.ContainsFunc(r.headers, func(h argumentHeader) bool { return strings.EqualFold(h.name, name) }) {
		return fmt.Errorf("property %q: duplicate %s value %.80q", at, annotation, property[annotation])
	}
	r.headers = append(r.headers, argumentHeader{path, name})
	return nil
}

// isPrimitive reports whether a schema's type allows only values that fit into a header.
func isPrimitive(kind any) bool {
	kinds, isList := kind.([]any)
	if !isList {
		kinds = []any{kind}
	}
	other := func(k any) bool { return k != "string" && k != "integer" && k != "boolean" }
	return len(kinds) > 0 && !slices.ContainsFunc(kinds, other)
}

// value returns the header's value for a call with these arguments. It returns false if the argument
// is missing, null, not a scalar, or a number other than an integer within ±(2^53-1).
func (h argumentHeader) value(arguments json.RawMessage) (string, bool) {
	raw := arguments
	for _, name := range h.path {
		raw = rawjson.Member(raw, name)
	}
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		return "", false
	}
	switch value := value.(type) {
	case string, bool:
		return mcp.EncodeHeaderValue(value)
	case float64:
		const maxSafeInteger = 1<<53 - 1
		isInteger := value == math.Trunc(value) && math.Abs(value) <= maxSafeInteger
		return strconv.FormatInt(int64(value), 10), isInteger
	default:
		return "", false
	}
}
