package setup

import (
	"fmt"
	"strings"

	"mcp-workbench/domain/masking"
	"mcp-workbench/domain/rawjson"
)

// PlaceholderNotes returns which values of a server are placeholders of a page, and what to write instead, one line
// each. No value is shown.
func (k Keys) PlaceholderNotes(server Server) (notes []string) {
	add := func(place, name, value string) {
		if instead := masking.InsteadOfPlaceholder(name, value); instead != "" {
			notes = append(notes, place+" "+instead)
		}
	}
	for _, value := range k.valuesOf(server.Settings) {
		place := strings.Join(value.Path, ".")
		switch {
		case value.IsVariable:
			add(place, value.Name(), rawjson.Text(value.Raw))
		case value.IsNamed:
			add(place, server.Name+" "+value.Name(), rawjson.Text(value.Raw))
		case value.IsSecret:
			add(place, server.Name+" "+value.words(), rawjson.Text(value.Raw))
		case value.IsLine && rawjson.Kind(value.Raw) == '[':
			words := value.texts()
			for i := range words {
				name, word := masking.Argument(words, i)
				if name == "" {
					name = server.Name + " value"
				}
				add(fmt.Sprintf("%s[%d]", place, i), name, word)
			}
		}
	}
	return notes
}
