package lockfile

import (
	"encoding/json"

	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// Definitions reads definitions of tools. It implements ports.Definitions.
type Definitions struct{}

var _ ports.Definitions = Definitions{}

// NewDefinitions returns a reader of definitions.
func NewDefinitions() Definitions { return Definitions{} }

// Pin implements ports.Definitions.
func (d Definitions) Pin(tool domain.ToolInfo, scope domain.PinScope) domain.Pin {
	definition := canonical(d.Reduce(tool.Definition, scope))
	return domain.Pin{Digest: safefile.Digest(definition), Definition: definition}
}

// Reduce implements ports.Definitions. It keeps every occurrence of a repeated member.
func (Definitions) Reduce(definition json.RawMessage, scope domain.PinScope) json.RawMessage {
	if scope.PinsAll() {
		return definition
	}
	object, leavesOut := rawjson.Object{}, false
	// The definition was scanned when it was listed.
	if scope == domain.PinNoDefaults {
		return rawjson.EditMembers(definition, func(name string, value []byte) []byte {
			if name == "inputSchema" || name == "outputSchema" {
				return withoutDefaults(value, 0)
			}
			return value
		})
	}
	err := rawjson.EachMember(definition, func(name, value []byte) error {
		if scope.Pins(string(name)) {
			object = object.Raw(string(name), value)
		} else {
			leavesOut = true
		}
		return nil
	})
	if err == nil && !leavesOut {
		return definition
	}
	return object.JSON()
}

// maxSchemaDepth bounds how deep defaults are looked for. Each level reads the text once more.
const maxSchemaDepth = 32

// withoutDefaults returns a schema without the defaults in it, which is nested depth schemas deep. Properties that are
// called "default" stay, and so do values of other keywords.
func withoutDefaults(schema []byte, depth int) []byte {
	if depth > maxSchemaDepth {
		return schema
	}
	inner := func(schema []byte) []byte { return withoutDefaults(schema, depth+1) }
	return rawjson.EditMembers(schema, func(keyword string, value []byte) []byte {
		switch keyword {
		case "default":
			return nil
		case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
			return rawjson.EditMembers(value, func(_ string, schema []byte) []byte { return inner(schema) })
		case "enum", "const", "examples":
			return value
		}
		if rawjson.Kind(value) == '[' {
			return rawjson.EditElements(value, inner)
		}
		return inner(value)
	})
}

// canonical returns the canonical form of a definition. A definition that is not JSON has none, and
// becomes a JSON string, so that it can be pinned too.
func canonical(definition []byte) json.RawMessage {
	form, err := rawjson.Canonical(definition)
	if err != nil {
		return rawjson.Quote(string(definition))
	}
	return form
}
