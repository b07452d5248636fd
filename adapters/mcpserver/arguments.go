package mcpserver

import (
	"encoding/json"
	"slices"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// members holds the known members of an object, and the names of the others.
type members struct {
	known    []string
	values   [4]object // in the order of known; absent ones are zero
	unknown  []string
	repeated []string
}

// hostKeys are the keys that hosts add to the arguments of every call, although no schema has them, with the hosts and
// their versions. They are left out of a call. The model did not choose them, so a refusal could not help it.
//
// Decision: any other unknown key is refused. It is a mistake of the model, which a silent call would hide.
var hostKeys = map[string]string{
	"wait_for_previous": "Gemini CLI 0.61.0", // which also adds it to the schema that its model reads
	"task_progress":     "Cline 3.45 to 3.79",
	"toolCallId":        "n8n 1.118 to 2.2.4",
	"sessionId":         "n8n 1.118 to 2.2.4",
	"chatInput":         "n8n 1.118 to 2.2.4",
	"action":            "n8n 1.118 to 2.2.4",
	"_meta":             "hosts that copy the parameters of a call into its arguments",
}

// readMembers reads an object whose legal names, at most four, are known. Of repeated members the
// first counts.
func readMembers(from rawjson.Tree, known ...string) members {
	read := members{known: known}
	from.Each(func(name, value []byte, inner rawjson.Tree) {
		i := slices.IndexFunc(known, func(legal string) bool { return legal == string(name) })
		switch {
		case i < 0:
			read.unknown = append(read.unknown, string(name))
		case read.values[i].raw != nil:
			read.repeated = append(read.repeated, string(name))
		default:
			read.values[i] = object{value, inner}
		}
	})
	return read
}

// value returns the member with that known name.
func (m *members) value(name string) object { return m.values[slices.Index(m.known, name)] }

// areLegal reports whether every member is known and there once.
func (m *members) areLegal() bool { return m.unknown == nil && m.repeated == nil }

// leaveOutHostKeys forgets the unknown names that hosts add to every call.
func (m *members) leaveOutHostKeys() {
	m.unknown = slices.DeleteFunc(m.unknown, func(name string) bool { return hostKeys[name] != "" })
	if len(m.unknown) == 0 {
		m.unknown = nil
	}
}

// problems returns a line about the unknown names and one about the repeated ones, nil if there
// are none.
func (m *members) problems() []string {
	problems := appendKeys(nil, "Unrecognized key", m.unknown)
	return appendKeys(problems, "Duplicate key", m.repeated)
}

// maxKeys is the number of keys that a problem names.
const maxKeys = 20

func appendKeys(problems []string, what string, keys []string) []string {
	switch len(keys) {
	case 0:
		return problems
	case 1:
	default:
		what += "s"
	}
	return append(problems, what+": "+domain.FirstNames(keys, maxKeys, domain.QuotedName[string]))
}

// readArguments reads the arguments of a tool of the workbench, which may be the text of an object.
func readArguments(given object, known ...string) (_ members, problem string) {
	given = given.orOfText()
	if !given.isObject() {
		return members{}, invalidParameters + "arguments must be an object"
	}
	read := readMembers(given.members, known...)
	read.leaveOutHostKeys()
	return read, ""
}

const invalidParameters = "Invalid parameters: "

// opening holds the arguments of open_toolbox or close_toolbox.
type opening struct {
	toolbox domain.ToolboxName
	// tools are the names of the tools to show if selects is set.
	tools   []string
	selects bool
}

// readOpening reads the arguments of open_toolbox (tests/acceptance/CONTRACT.md section 4) or
// close_toolbox (section 8). selects says whether "tools" is a legal argument. problem is "" if the
// arguments are valid.
func readOpening(arguments object, selects bool) (_ opening, problem string) {
	known := []string{"toolbox", "tools"}
	if !selects {
		known = known[:1]
	}
	read, problem := readArguments(arguments, known...)
	if problem != "" {
		return opening{}, problem
	}
	var problems []string
	toolbox := read.value("toolbox")
	name := rawjson.Text(toolbox.raw)
	switch {
	case toolbox.raw != nil && rawjson.Kind(toolbox.raw) != '"':
		problems = append(problems, "toolbox must be a string")
	case strings.TrimSpace(name) == "":
		problems = append(problems, "toolbox cannot be empty")
	}
	asked := opening{toolbox: domain.ToolboxName(name)}
	if selects && !rawjson.IsNull(read.value("tools").raw) {
		asked.selects = true
		if asked.tools, problem = readToolNames(read.value("tools").raw); problem != "" {
			problems = append(problems, problem)
		}
	}
	problems = append(problems, read.problems()...)
	if problems != nil {
		return opening{}, invalidParameters + strings.Join(problems, "; ")
	}
	return asked, ""
}

// readToolNames reads a list of names of tools, or the text of one. problem is "" if it is valid.
func readToolNames(raw json.RawMessage) (names []string, problem string) {
	if rawjson.Kind(raw) == '"' {
		raw = json.RawMessage(rawjson.Text(raw))
	}
	err := rawjson.NewScanner().EachElement(raw, func(value []byte) error {
		switch {
		case rawjson.Kind(value) != '"':
			problem = "tools must be a list of strings"
		case isEmptyText(value) && problem == "":
			problem = "a name in tools cannot be empty"
		}
		names = append(names, rawjson.Text(value))
		return nil
	})
	if err != nil {
		return nil, "tools must be a list of strings"
	}
	return names, problem
}

// toolCall holds the arguments of use_tool or read_tool.
type toolCall struct {
	ports.Intent

	tool domain.ToolIdentifier
	// registered is the name under which the tool is registered, if it is called by that name.
	registered string
	arguments  json.RawMessage // an object in the host's bytes
	ofText     bool            // arguments are the content of a text in the message
	selected   string          // a jq program over the result, "" for none
	whole      bool            // a page needs the whole result
}

// readUseTool reads the arguments of use_tool. problem is the first one that applies of those in
// tests/acceptance/CONTRACT.md section 5, "" if they are valid. selects says whether "select" is a
// legal argument.
func readUseTool(given object, selects bool) (_ toolCall, problem string) {
	known := []string{"tool", "arguments", "select"}
	if !selects {
		known = known[:2]
	}
	outer, problem := readArguments(given, known...)
	if problem != "" {
		return toolCall{}, problem
	}
	tool := outer.value("tool").orOfText()
	if !tool.members.Walked() {
		return toolCall{}, invalidParameters + "tool must be an object with toolbox, server and tool"
	}
	inner := readMembers(tool.members, "toolbox", "server", "tool")
	if problem = identifierProblem(&outer, &inner); problem != "" {
		if slices.Contains(inner.unknown, "name") {
			problem += "\nUse 'tool' for the tool's name."
		}
		return toolCall{}, problem
	}
	sent := outer.value("arguments")
	arguments := orEmpty(sent.orOfText().raw)
	if rawjson.Kind(arguments) != '{' {
		return toolCall{}, invalidParameters + "arguments must be an object"
	}
	var program string
	if selects {
		if program, problem = readOptionalText(outer.value("select"), "select"); problem != "" {
			return toolCall{}, invalidParameters + problem
		}
	}
	ofText := rawjson.Kind(sent.raw) == '"' || rawjson.Kind(given.raw) == '"'
	return toolCall{arguments: arguments, ofText: ofText, selected: program, tool: domain.ToolIdentifier{
		Toolbox: domain.ToolboxName(rawjson.Text(inner.value("toolbox").raw)),
		Server:  domain.ServerName(rawjson.Text(inner.value("server").raw)),
		Tool:    rawjson.Text(inner.value("tool").raw),
	}}, ""
}

// readOptionalText reads a string that must not be empty. It returns "" if the string is absent or
// null.
func readOptionalText(given object, name string) (text, problem string) {
	switch {
	case rawjson.IsNull(given.raw):
		return "", ""
	case rawjson.Kind(given.raw) != '"':
		return "", name + " must be a string"
	case isEmptyText(given.raw):
		return "", name + " cannot be empty"
	}
	return rawjson.Text(given.raw), ""
}

func identifierProblem(outer, inner *members) string {
	for i, member := range inner.known {
		if isEmptyText(inner.values[i].raw) {
			return "Invalid tool identifier: " + member + " cannot be empty"
		}
	}
	if outer.areLegal() && inner.areLegal() {
		return ""
	}
	both := members{
		unknown:  slices.Concat(outer.unknown, inner.unknown),
		repeated: slices.Concat(outer.repeated, inner.repeated),
	}
	return invalidParameters + strings.Join(both.problems(), "; ")
}

// orEmpty returns a raw value, or an empty object if it is absent or null.
func orEmpty(value json.RawMessage) json.RawMessage {
	if rawjson.IsNull(value) {
		return json.RawMessage("{}")
	}
	return value
}

// isEmptyText reports whether a raw value is an empty string, or not a string.
func isEmptyText(raw json.RawMessage) bool { return len(raw) <= len(`""`) || rawjson.Kind(raw) != '"' }
