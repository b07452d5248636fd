package streamablehttp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/domain/rawjson"
)

// annotation marks an argument in a schema that a server of 2026-07-28 wants in a
// header too.
const annotation = "x-mcp-header"

// annotatedTools are the tools with such arguments. Safe for concurrent use.
type annotatedTools struct {
	log   *slog.Logger
	tools sync.Map // name to *mcp.Tool
}

// admit notes a tool. It refuses a tool with invalid annotations, as the protocol
// says: its calls could not carry the headers that the server relies on.
func (t *annotatedTools) admit(name string, definition json.RawMessage) error {
	t.tools.Delete(name)
	if !bytes.Contains(definition, []byte(`"`+annotation+`"`)) { // nearly every tool ends here
		return nil
	}
	tool := &mcp.Tool{Name: name, RawInputSchema: bytes.Clone(rawjson.Member(definition, "inputSchema"))}
	err := mcp.ValidateParamHeaderAnnotations(tool)
	if err == nil {
		err = checkPlaces(tool.RawInputSchema)
	}
	if err != nil {
		t.log.Warn("left out a tool whose x-mcp-header annotations are not valid", "tool", name, "error", err)
		return fmt.Errorf("its x-mcp-header annotations are not valid: %w", err)
	}
	t.tools.Store(name, tool)
	return nil
}

// headers returns the headers that repeat arguments of a call.
func (t *annotatedTools) headers(name string, params json.RawMessage) map[string]string {
	tool, ok := t.tools.Load(name)
	if !ok {
		return nil
	}
	return mcp.GenerateParamHeaders(tool.(*mcp.Tool), params)
}

// errMisplaced is an annotation in another place than a property of the arguments, or
// of a property: no single value goes into the header.
var errMisplaced = errors.New(annotation + " can only be applied to properties that are reached through \"properties\" alone")

// checkPlaces reports an annotation in a place where none may be.
func checkPlaces(schema json.RawMessage) error {
	var decoded any
	if err := json.Unmarshal(schema, &decoded); err != nil {
		return fmt.Errorf("read the schema: %w", err)
	}
	// The arguments as a whole are no property.
	return checkSchema(decoded, false, true)
}

// checkSchema checks a schema, of a property that may be annotated or not, and
// those inside it; an array is one of schemas. Reached is set where the way there
// is through "properties" alone.
func checkSchema(schema any, mayBeAnnotated, reached bool) error {
	var problems []error
	switch schema := schema.(type) {
	case []any:
		for _, element := range schema {
			problems = append(problems, checkSchema(element, false, false))
		}
	case map[string]any:
		for keyword, value := range schema {
			problems = append(problems, checkKeyword(keyword, value, mayBeAnnotated, reached))
		}
	}
	return cmp.Or(problems...)
}

func checkKeyword(keyword string, value any, mayBeAnnotated, reached bool) error {
	switch keyword {
	case annotation:
		if !mayBeAnnotated {
			return errMisplaced
		}
		return nil
	case "properties":
		return checkNamed(value, reached)
	case "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions":
		return checkNamed(value, false)
	case "const", "default", "dependentRequired", "enum", "examples": // no schemas
		return nil
	}
	return checkSchema(value, false, false)
}

// checkNamed checks an object whose members are schemas, whatever their names.
func checkNamed(schemas any, reached bool) error {
	var problems []error
	named, _ := schemas.(map[string]any)
	for _, schema := range named {
		problems = append(problems, checkSchema(schema, reached, reached))
	}
	return cmp.Or(problems...)
}
