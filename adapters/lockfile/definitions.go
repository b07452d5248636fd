package lockfile

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"mcp-workbench/adapters/jsonscan"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Definitions reads definitions of tools. It implements ports.Definitions.
type Definitions struct{}

var _ ports.Definitions = Definitions{}

// NewDefinitions returns a reader of definitions.
func NewDefinitions() Definitions { return Definitions{} }

// Pin implements ports.Definitions.
func (Definitions) Pin(tool domain.ToolInfo, scope domain.PinScope) domain.Pin {
	definition := canonical(reduced(tool.Definition, scope))
	return domain.Pin{Digest: digest(definition), Definition: definition}
}

// reduced returns the object with only the members that are pinned. Repeated members
// all stay.
func reduced(definition json.RawMessage, scope domain.PinScope) []byte {
	text := []byte{'{'}
	// The definition was scanned when it was listed, so this cannot fail.
	_ = jsonscan.EachMember(definition, func(name, value []byte) error {
		if !scope.Pins(string(name)) {
			return nil
		}
		if len(text) > 1 {
			text = append(text, ',')
		}
		text = append(append(jsonscan.AppendQuote(text, string(name)), ':'), value...)
		return nil
	})
	return append(text, '}')
}

// canonical returns the canonical form of a definition. A definition that is not JSON
// has none and is kept as a string, since it has to be pinned too.
func canonical(definition []byte) json.RawMessage {
	form, err := jsonscan.Canonical(definition)
	if err != nil {
		return jsonscan.Quote(string(definition))
	}
	return form
}

func digest(canonical json.RawMessage) string {
	sum := sha256.Sum256(canonical)
	return hex.EncodeToString(sum[:])
}
