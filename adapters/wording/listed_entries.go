package wording

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"mcp-workbench/domain/rawjson"
)

// Hosts check whole lists, so one entry that the schema of MCP forbids costs them the entries of all servers
// (tests/acceptance/CONTRACT.md section 8). The functions below return entries that the schema allows. All that it allows
// keeps its bytes.
//
// Decision: an optional member that cannot be read is left out, and the entry stays, since such members only describe it.
// The arguments of a call are an object whatever a schema says, so an invalid input schema becomes that of any
// object, and the server decides.

// ListedTool returns the entry of a tool.
func ListedTool(definition json.RawMessage) json.RawMessage {
	listed := listedTool(definition)
	if rawjson.Member(listed, "inputSchema") == nil {
		return rawjson.WithLast(listed, "inputSchema", anyObject)
	}
	return listed
}

// ListedPrompt returns the entry of a prompt, whose name is not checked.
func ListedPrompt(definition json.RawMessage) json.RawMessage { return listedPrompt(definition) }

// ListedResource returns the entry of a resource or a template, whose address is the value of that member. For an entry
// that no host can use, it returns the reason instead. A template can begin with a variable.
//
// Decision: a scheme may begin with a digit, though no URI may. Servers of password managers have such ones, and most
// hosts read them.
func ListedResource(definition json.RawMessage, address string) (listed json.RawMessage, reason string) {
	uri := rawjson.Member(definition, address)
	text := rawjson.Text(uri)
	scheme, _, isAbsolute := strings.Cut(text, ":")
	switch {
	case text == "":
		return nil, "they have no address"
	case address == "uri" && (!isAbsolute || !isScheme(scheme)):
		return nil, "their addresses do not begin with a scheme, such as file:"
	}
	listed = listedResource(definition)
	if rawjson.Member(listed, "name") == nil {
		listed = rawjson.WithLast(listed, "name", uri)
	}
	return listed, ""
}

// isScheme reports whether text can begin an address.
func isScheme(text string) bool {
	for i, c := range text {
		isLetter := 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9'
		if !isLetter && (i == 0 || !strings.ContainsRune("+-.", c)) {
			return false
		}
	}
	return text != ""
}

// shape returns a value in a form that is allowed, nil if there is none.
type shape func(value []byte) []byte

var (
	anyObject   = json.RawMessage(`{"type":"object"}`)
	listedIcons = listOf(record(map[string]shape{
		"src": aText, "mimeType": aText, "sizes": listOf(aText), "theme": oneOf("light", "dark"),
	}, "src"))
	listedTool = record(map[string]shape{
		"title": aText, "description": aText, "inputSchema": inputSchema, "outputSchema": outputSchema, "icons": listedIcons, "_meta": anObject,
		"annotations": record(map[string]shape{
			"title": aText, "readOnlyHint": aFlag, "destructiveHint": aFlag, "idempotentHint": aFlag, "openWorldHint": aFlag,
		}),
		"execution": record(map[string]shape{"taskSupport": oneOf("required", "optional", "forbidden")}),
	})
	listedPrompt = record(map[string]shape{
		"title": aText, "description": aText, "icons": listedIcons, "_meta": anObject,
		"arguments": listOf(record(map[string]shape{"name": aText, "title": aText, "description": aText, "required": aFlag}, "name")),
	})
	listedResource = record(map[string]shape{
		"name": aText, "title": aText, "description": aText, "mimeType": aText, "size": aNumber, "icons": listedIcons, "_meta": anObject,
		"annotations": record(map[string]shape{"audience": listOf(oneOf("user", "assistant")), "priority": aPriority, "lastModified": aTime}),
	})
)

func ofKind(kinds string) shape {
	return func(value []byte) []byte {
		if strings.IndexByte(kinds, rawjson.Kind(value)) < 0 {
			return nil
		}
		return value
	}
}

var aText, aFlag, aNumber, anObject = ofKind(`"`), ofKind("tf"), ofKind("0"), ofKind("{")

func aPriority(value []byte) []byte {
	var priority float64
	if json.Unmarshal(value, &priority) != nil || aNumber(value) == nil || priority < 0 || priority > 1 {
		return nil
	}
	return value
}

func aTime(value []byte) []byte {
	if _, err := time.Parse(time.RFC3339, rawjson.Text(value)); err != nil {
		return nil
	}
	return value
}

func oneOf(texts ...string) shape {
	return func(value []byte) []byte {
		if !slices.Contains(texts, rawjson.Text(value)) {
			return nil
		}
		return value
	}
}

// listOf is a list without the elements that have no allowed form.
func listOf(element shape) shape {
	return func(value []byte) []byte {
		if rawjson.Kind(value) != '[' {
			return nil
		}
		return rawjson.EditElements(value, element)
	}
}

// record is an object without the members that have no allowed form. It has none itself without a required member.
func record(members map[string]shape, required ...string) shape {
	return func(value []byte) []byte {
		if rawjson.Kind(value) != '{' {
			return nil
		}
		edited := rawjson.EditMembers(value, func(name string, member []byte) []byte {
			if form, known := members[name]; known {
				return form(member)
			}
			return member
		})
		for _, name := range required {
			if rawjson.Member(edited, name) == nil {
				return nil
			}
		}
		return edited
	}
}

func inputSchema(value []byte) []byte {
	if rawjson.Kind(value) != '{' {
		return anyObject
	}
	return objectSchema(value)
}

// outputSchema has no allowed form if results are no objects.
func outputSchema(value []byte) []byte {
	if of := rawjson.Member(value, "type"); rawjson.Kind(value) != '{' || !rawjson.IsNull(of) && rawjson.Text(of) != "object" {
		return nil
	}
	return objectSchema(value)
}

func objectSchema(value []byte) []byte {
	schema := record(map[string]shape{
		"$schema": aText, "required": listOf(aText),
		"type": func(value []byte) []byte {
			if rawjson.Text(value) != "object" {
				return []byte(`"object"`)
			}
			return value
		},
		"properties": func(value []byte) []byte {
			if rawjson.Kind(value) != '{' {
				return nil
			}
			return rawjson.EditMembers(value, func(_ string, schema []byte) []byte { return propertySchema(schema) })
		},
	})(value)
	if rawjson.Member(schema, "type") == nil {
		return rawjson.WithLast(schema, "type", []byte(`"object"`))
	}
	return schema
}

// propertySchema returns schemas that are true or false as objects. Anything else says nothing.
func propertySchema(value []byte) []byte {
	switch rawjson.Kind(value) {
	case '{':
		return value
	case 'f':
		return []byte(`{"not":{}}`)
	}
	return []byte("{}")
}
