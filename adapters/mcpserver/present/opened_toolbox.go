package present

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"mcp-workbench/adapters/jsonscan"
	"mcp-workbench/domain"
)

// openedToolbox returns the JSON that open_toolbox answers with (tests/acceptance/CONTRACT.md section
// 4), members in its order. More are warnings besides those in opened.
func openedToolbox(opened domain.OpenedToolbox, more ...string) []byte {
	answer := jsonscan.Object{}.
		Text("toolbox", string(opened.Toolbox.Name)).
		Text("description", opened.Toolbox.Description).
		Int("servers_connected", int64(opened.Connected())).
		Raw("tools", tools(opened.Servers))
	if instructions := instructions(opened.Servers); instructions != nil {
		answer = answer.Raw("instructions", instructions)
	}
	if failures := append(connectFailures(opened), missingServers(opened.Toolbox)...); failures != nil {
		answer = answer.Texts("_errors", failures)
	}
	if warnings := append(more, warnings(opened)...); warnings != nil {
		answer = answer.Texts("_warnings", warnings)
	}
	return answer.JSON()
}

// tools returns the tools of all servers as an array, with a line break after each:
// a host that cuts a long answer by lines keeps whole tools.
func tools(servers []domain.OpenedServer) []byte {
	text := []byte{'['}
	separator := ""
	for _, server := range servers {
		for _, tool := range server.Tools {
			text = append(text, separator...)
			text = appendTool(text, tool.Definition, server.ID, server.Registered[tool.Name])
			separator = ",\n"
		}
	}
	if separator != "" {
		text = append(text, '\n')
	}
	return append(text, ']')
}

// appendTool writes a definition in the server's bytes, then server, toolbox and the
// name under which the tool is registered, "" if it is not. These replace members of
// the same names. Name and description are written as they may be shown.
func appendTool(text []byte, definition json.RawMessage, server domain.ServerID, registered string) []byte {
	added := []string{"server", "toolbox", "registered_name"}
	if registered == "" {
		added = added[:2]
	}
	tool := jsonscan.NewObject(text)
	if needsRewriting(definition, added) {
		tool = copyMembers(tool, definition, added)
	} else {
		tool = tool.Members(definition[1 : len(definition)-1])
	}
	tool = tool.Text("server", string(server.Server)).Text("toolbox", string(server.Toolbox))
	if registered != "" {
		tool = tool.Text("registered_name", registered)
	}
	return tool.JSON()
}

// needsRewriting reports whether a definition cannot be shown as it is: it has
// members of the names that are added, or text that must not be shown.
func needsRewriting(definition json.RawMessage, added []string) bool {
	err := jsonscan.EachMember(definition, func(name, value []byte) error {
		if slices.Contains(added, string(name)) || !bytes.Equal(shownMember(name, value), value) {
			return errRewrite
		}
		return nil
	})
	return err != nil
}

var errRewrite = errors.New("the definition has to be rewritten")

// copyMembers writes the members of a definition as they may be shown, except those
// of the names that are added.
func copyMembers(tool jsonscan.Object, definition json.RawMessage, added []string) jsonscan.Object {
	// A definition was scanned when it was listed.
	_ = jsonscan.EachMember(definition, func(name, value []byte) error {
		if !slices.Contains(added, string(name)) {
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
	text := jsonscan.Text(value)
	if shown := domain.ShownText(text); shown != text {
		return jsonscan.Quote(shown)
	}
	return value
}

// instructions returns the texts that the servers sent at their handshake as an
// object, nil if there are none.
func instructions(servers []domain.OpenedServer) json.RawMessage {
	var object jsonscan.Object
	found := false
	for _, server := range servers {
		if server.Instructions != "" {
			object, found = object.Text(string(server.ID.Server), server.Instructions), true
		}
	}
	if !found {
		return nil
	}
	return object.JSON()
}

// ClosedToolbox returns the JSON that close_toolbox answers with (tests/acceptance/CONTRACT.md section
// 8).
func ClosedToolbox(closed domain.ClosedToolbox) []byte {
	return jsonscan.Object{}.
		Text("toolbox", string(closed.Toolbox)).
		Bool("closed", true).
		Int("tools_removed", int64(closed.Removed)).
		JSON()
}
