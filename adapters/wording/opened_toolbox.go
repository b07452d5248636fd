package wording

import (
	"encoding/json"

	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/domain/rawjson"
)

// frame is the answer of open_toolbox without the tools (tests/acceptance/CONTRACT.md section 4): the
// members before and after them.
type frame struct {
	before, after rawjson.Object
}

// newFrame returns the frame for an opened toolbox. more are warnings besides those in opened.
func newFrame(opened domain.OpenedToolbox, more ...string) frame {
	f := frame{before: rawjson.Object{}.
		Text("toolbox", string(opened.Toolbox.Name)).
		Text("description", opened.Toolbox.Description).
		Int("servers_connected", int64(opened.Connected()))}
	if readOnly := readOnlyTools(opened.Servers); readOnly != nil {
		f.after = f.after.Raw(domain.ToolReadTool, readOnly)
	}
	if instructions := instructions(opened.Servers); instructions != nil {
		f.after = f.after.Raw("instructions", instructions)
	}
	if failures := append(connectFailures(opened), missingServers(opened.Toolbox)...); failures != nil {
		f.after = f.after.Texts("_errors", failures)
	}
	if warnings := append(more, Warnings(opened)...); warnings != nil {
		f.after = f.after.Texts("_warnings", warnings)
	}
	return f
}

// with returns the whole answer with the tools as they are shown.
func (f frame) with(opened domain.OpenedToolbox, shown definitions.Shown) []byte {
	answer := rawjson.Object{}.Members(f.before.Inside())
	if shown.Form.Short() {
		answer = explain(answer, opened, shown.Form).Raw("tools", texts(shown.Servers))
	} else {
		answer = answer.Raw("tools", tools(opened.Servers, shown.Form))
	}
	return answer.Members(f.after.Inside()).JSON()
}

// memberSize is about the size in bytes of the members that are added to a tool, without their values.
const memberSize = 64

// tools returns the tools of all servers as an array, with a line break after each:
// a host that cuts a long answer by lines keeps whole tools.
func tools(servers []domain.OpenedServer, form definitions.Form) []byte {
	size := 2
	for _, server := range servers {
		for _, tool := range server.Tools {
			size += len(tool.Definition) + len(server.ID.Server) + len(server.ID.Toolbox) + len(server.Registered[tool.Name]) + memberSize
		}
	}
	text := append(make([]byte, 0, size), '[')
	separator := ""
	for _, server := range servers {
		for _, tool := range server.Tools {
			text = append(text, separator...)
			text = appendTool(text, tool.Definition, server.ID, server.Registered[tool.Name], form)
			separator = ",\n"
		}
	}
	if separator != "" {
		text = append(text, '\n')
	}
	return append(text, ']')
}

// instructions returns the texts that the servers sent at their handshake as an
// object, nil if there are none.
func instructions(servers []domain.OpenedServer) json.RawMessage {
	var object rawjson.Object
	for _, server := range servers {
		if server.Instructions != "" {
			object = object.Text(string(server.ID.Server), server.Instructions)
		}
	}
	if object.IsEmpty() {
		return nil
	}
	return object.JSON()
}

// ClosedToolbox returns the JSON that close_toolbox answers with (tests/acceptance/CONTRACT.md section
// 8).
func ClosedToolbox(closed domain.ClosedToolbox) []byte {
	return rawjson.Object{}.
		Text("toolbox", string(closed.Toolbox)).
		Bool("closed", true).
		Int("tools_removed", int64(closed.Removed)).
		JSON()
}
