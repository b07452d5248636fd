package wording

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/domain/rawjson"
)

// appendTool writes a definition in the server's bytes, then server, toolbox and the
// name under which the tool is registered, "" if it is not. These replace members of
// the same names. Name and description are written without text that must not be shown, and icons are left out,
// since no model sees pictures there. The form is definitions.Full or definitions.Lean, which has fewer members.
func appendTool(
	text []byte, definition json.RawMessage, server domain.ServerID, registered string, form definitions.Form,
) []byte {
	omitted := []string{definitions.Icons, "server", "toolbox", "registered_name"}
	if registered == "" {
		omitted = omitted[:3]
	}
	tool := rawjson.NewObject(text)
	switch {
	case form == definitions.Lean:
		tool = copyMembers(tool, definition, func(name string) bool { return slices.Contains(definitions.LeanMembers(), name) })
	case needsRewriting(definition, omitted):
		tool = copyMembers(tool, definition, func(name string) bool { return !slices.Contains(omitted, name) })
	default:
		tool = tool.Members(definition[1 : len(definition)-1])
	}
	tool = tool.Text("server", string(server.Server)).Text("toolbox", string(server.Toolbox))
	if registered != "" {
		tool = tool.Text("registered_name", registered)
	}
	return tool.JSON()
}

// needsRewriting reports whether a definition cannot be shown unchanged: it has members
// that are omitted, or text that must not be shown.
func needsRewriting(definition json.RawMessage, omitted []string) bool {
	err := rawjson.EachMember(definition, func(name, value []byte) error {
		if slices.Contains(omitted, string(name)) || !bytes.Equal(shownMember(name, value), value) {
			return errRewrite
		}
		return nil
	})
	return err != nil
}

var errRewrite = errors.New("the definition has to be rewritten")

// copyMembers writes the wanted members of a definition, without text that must not be
// shown.
func copyMembers(tool rawjson.Object, definition json.RawMessage, wanted func(name string) bool) rawjson.Object {
	// A definition was scanned when it was listed.
	_ = rawjson.EachMember(definition, func(name, value []byte) error {
		if wanted(string(name)) {
			tool = tool.Raw(string(name), shownMember(name, value))
		}
		return nil
	})
	return tool
}

// shownMember returns a raw value in its own bytes, unless it is a name or
// description with characters that must not be shown.
func shownMember(name, value []byte) []byte {
	if string(name) != "name" && string(name) != "description" {
		return value
	}
	text := rawjson.Text(value)
	if shown := domain.ShownText(text); shown != text {
		return rawjson.Quote(shown)
	}
	return value
}
