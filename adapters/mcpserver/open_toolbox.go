package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"

	"mcp-workbench/adapters/jsonscan"
	"mcp-workbench/domain"
)

// openToolbox answers open_toolbox.
func (s *Server) openToolbox(ctx context.Context, e *exchange, p params, reply func(answer)) {
	name, problem := readToolboxName(p.arguments)
	if problem != "" {
		reply(errorAnswer(problem))
		return
	}
	go func() {
		if s.dynamic != nil {
			s.host.beginAnswer(name)
			defer s.host.endAnswer(name)
		}
		defer s.recoverFrom(e, reply)
		opened, err := s.opener.OpenToolbox(ctx, name)
		if err != nil {
			reply(errorAnswer(openToolboxFailure(name, opened, err)))
			return
		}
		reply(textAnswer(string(describeOpened(opened)), false))
	}()
}

// describeOpened writes the JSON of tests/acceptance/CONTRACT.md section 4, members in its order.
func describeOpened(opened domain.OpenedToolbox) []byte {
	text := jsonscan.AppendQuote([]byte(`{"toolbox":`), string(opened.Toolbox.Name))
	text = append(text, `,"description":`...)
	text = jsonscan.AppendQuote(text, opened.Toolbox.Description)
	text = append(text, `,"servers_connected":`...)
	text = strconv.AppendInt(text, int64(opened.Connected()), 10)
	text = append(text, `,"tools":[`...)
	separator := ""
	for _, server := range opened.Servers {
		for _, tool := range server.Tools {
			text = append(text, separator...)
			text = appendTool(text, tool, server.ID, server.Registered[tool.Name])
			separator = ","
		}
	}
	text = append(text, ']')
	text = appendInstructions(text, opened)
	text = appendTexts(text, "_errors", connectFailures(opened))
	text = appendTexts(text, "_warnings", warnings(opened))
	return append(text, '}')
}

// appendTool writes a definition in the server's bytes, with server and toolbox
// last, and the name under which it is registered, if it is; they take the place of
// members of those names. Its name and description are as they may be shown.
func appendTool(text []byte, tool domain.ToolInfo, server domain.ServerID, registered string) []byte {
	added := []string{"server", "toolbox", "registered_name"}
	if registered == "" {
		added = added[:2]
	}
	if rewritten(tool.Definition, added) {
		text = appendMembers(append(text, '{'), tool.Definition, added)
	} else {
		text = append(text, tool.Definition[:len(tool.Definition)-1]...)
		text = append(text, ',')
	}
	text = append(text, `"server":`...)
	text = jsonscan.AppendQuote(text, string(server.Server))
	text = append(text, `,"toolbox":`...)
	text = jsonscan.AppendQuote(text, string(server.Toolbox))
	if registered != "" {
		text = append(text, `,"registered_name":`...)
		text = jsonscan.AppendQuote(text, registered)
	}
	return append(text, '}')
}

// rewritten reports whether a definition cannot be shown as it is, since members of
// some names are added to it, or for safety.
func rewritten(definition json.RawMessage, added []string) bool {
	err := jsonscan.EachMember(definition, func(name, value []byte) error {
		if slices.Contains(added, string(name)) || !bytes.Equal(shownMember(name, value), value) {
			return errRewritten
		}
		return nil
	})
	return err != nil
}

var errRewritten = errors.New("the definition is shown otherwise")

// appendMembers writes the members of a definition as they may be shown, but those
// that are added, each with a comma behind it.
func appendMembers(text []byte, definition json.RawMessage, added []string) []byte {
	// A definition was scanned when it was listed.
	_ = jsonscan.EachMember(definition, func(name, value []byte) error {
		if slices.Contains(added, string(name)) {
			return nil
		}
		text = jsonscan.AppendQuote(text, string(name))
		text = append(text, ':')
		text = append(text, shownMember(name, value)...)
		text = append(text, ',')
		return nil
	})
	return text
}

// shownMember returns a raw value in its own bytes, unless it is a name or
// description that holds what must not be shown.
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

func appendInstructions(text []byte, opened domain.OpenedToolbox) []byte {
	separator := `,"instructions":{`
	for _, server := range opened.Servers {
		if server.Instructions == "" {
			continue
		}
		text = append(text, separator...)
		text = jsonscan.AppendQuote(text, string(server.ID.Server))
		text = append(text, ':')
		text = jsonscan.AppendQuote(text, server.Instructions)
		separator = ","
	}
	if separator == "," {
		text = append(text, '}')
	}
	return text
}

// appendTexts writes a member that is a list of texts, unless that is empty.
func appendTexts(text []byte, member string, lines []string) []byte {
	if len(lines) == 0 {
		return text
	}
	text = append(text, `,"`+member+`":[`...)
	for i, line := range lines {
		if i > 0 {
			text = append(text, ',')
		}
		text = jsonscan.AppendQuote(text, line)
	}
	return append(text, ']')
}
