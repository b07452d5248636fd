package wording

import (
	"encoding/json"

	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/domain/rawjson"
)

// Showing says how much of its tools a toolbox shows.
type Showing struct {
	Form definitions.Form
	// Budget is the maximum size of the answer in bytes when the form is definitions.Auto or
	// definitions.Names.
	Budget int
	// Host is the host that reads it.
	Host Host
}

// OpenAnswer is the result of open_toolbox for an opened toolbox. It never changes,
// so it is safe for concurrent use.
//
// Decision: an answer is made for each opening, which takes 2.5 to 12 ms for 100 tools, and is not kept.
type OpenAnswer struct {
	servers []domain.OpenedServer
	form    definitions.Form
	tooLong string
	size    int
	result  json.RawMessage
}

// NewOpenAnswer makes the answer. The raw JSON in opened must not change.
func NewOpenAnswer(opened domain.OpenedToolbox, showing Showing) *OpenAnswer {
	shown := show(opened, showing)
	answer := &OpenAnswer{servers: opened.Servers, form: shown.Form}
	text := newFrame(opened).with(opened, shown)
	if limit := showing.Host.MaxResult; limit > 0 && len(text) > limit {
		answer.tooLong = tooLongText(showing.Host, shown.Form, len(text))
		text = newFrame(opened, answer.tooLong).with(opened, shown)
	} else if len(text) > longAnswer {
		answer.tooLong = longText(shown.Form, len(text))
	}
	text = rawjson.WithoutTags(text)
	answer.size, answer.result = len(text), TextResult(string(text))
	return answer
}

// NewSelection makes the answer that has only the tools of these names, with their full
// definitions. A name is that of a tool, or "server/tool". The answer has the instructions in opened, from which the
// caller leaves out those that the host was shown.
func NewSelection(opened domain.OpenedToolbox, names []string) *OpenAnswer {
	selected, unknown := selectTools(opened, names)
	text := newFrame(selected, unknown...).with(selected, definitions.Shown{Form: definitions.Full})
	return &OpenAnswer{servers: selected.Servers, form: definitions.Full, result: TextResult(string(rawjson.WithoutTags(text)))}
}

// Result returns the raw result of the tool. It must not be changed.
func (a *OpenAnswer) Result() json.RawMessage { return a.result }

// Size returns how many bytes a model reads.
func (a *OpenAnswer) Size() int { return a.size }

// TooLong says that the answer is longer than what the host, or many hosts, pass on to the
// model, and which setting helps. It is "" if the answer is not too long.
func (a *OpenAnswer) TooLong() string { return a.tooLong }

// Form returns the form that the tools are shown in, never definitions.Auto.
func (a *OpenAnswer) Form() definitions.Form { return a.form }

// Servers returns the servers with the tools that are shown.
func (a *OpenAnswer) Servers() []domain.OpenedServer { return a.servers }

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
