package wording

import (
	"encoding/json"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// appendRegistered writes a definition in the server's bytes, except for its name,
// its description and what hosts would refuse (tests/acceptance/CONTRACT.md section 8). An entry for pages keeps
// both, since no model sees it.
func appendRegistered(text []byte, tool domain.RegisteredTool) []byte {
	if tool.ForPages {
		return append(text, ListedTool(rawjson.WithoutTags(tool.Definition))...)
	}
	description, repeated := readDescription(tool.Definition)
	definition := json.RawMessage(rawjson.WithoutTags(tool.Definition))
	if repeated {
		definition = withoutRepeats(definition)
	}
	definition = ListedTool(definition)
	if tool.Fits {
		definition = rawjson.Without(definition, "outputSchema")
	}
	shown := registeredDescription(tool.Tool, domain.ShownText(description))
	return append(text, renamed(definition, rawjson.Quote(tool.Name), rawjson.Quote(shown))...)
}

// registeredDescription puts toolbox and server before the description of a tool, unless it has room only for itself.
func registeredDescription(tool domain.ToolIdentifier, description string) string {
	label := "[" + string(tool.Toolbox) + "/" + string(tool.Server) + "]"
	whole := strings.TrimSuffix(label+" "+description, " ")
	if length(whole) > maxDescription && length(description) <= maxDescription {
		return description
	}
	return cut(whole, maxDescription)
}

// renamed returns a definition with another raw name and description. The definition has a name; a description that it
// does not have comes after the name.
func renamed(definition json.RawMessage, name, description []byte) json.RawMessage {
	if rawjson.Member(definition, "description") == nil {
		name = append(append(name, `,"description":`...), description...)
	}
	return rawjson.EditMembers(definition, func(member string, value []byte) []byte {
		switch member {
		case "name":
			return name
		case "description":
			return description
		}
		return value
	})
}

// readDescription returns the description of a tool, and whether the definition has
// more than one name or description.
func readDescription(definition json.RawMessage) (description string, repeated bool) {
	names, descriptions := 0, 0
	// A definition was scanned when it was listed.
	_ = rawjson.EachMember(definition, func(name, value []byte) error {
		switch string(name) {
		case "name":
			names++
		case "description":
			descriptions++
			description = rawjson.Text(value)
		}
		return nil
	})
	return description, names > 1 || descriptions > 1
}

// withoutRepeats returns a definition with one name, to be replaced, and no
// description: a reader that takes the first of several must not see anything other than a reader that takes the
// last.
func withoutRepeats(definition json.RawMessage) json.RawMessage {
	object := rawjson.Object{}.Text("name", "")
	_ = rawjson.EachMember(definition, func(name, value []byte) error {
		if string(name) != "name" && string(name) != "description" {
			object = object.Raw(string(name), value)
		}
		return nil
	})
	return object.JSON()
}
