package mcpserver

import (
	"encoding/json"
	"slices"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// members are the members of an object that a tool takes, and the names of what
// else it holds.
type members struct {
	known    []string
	values   [3]object // in the order of known; absent ones are zero
	unknown  []string
	repeated []string
}

// readMembers reads an object whose legal names are known: three at the most. Of
// a repeated one the first counts.
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

// value returns the member of that known name.
func (m *members) value(name string) object { return m.values[slices.Index(m.known, name)] }

// areLegal reports whether the object holds nothing that it must not.
func (m *members) areLegal() bool { return m.unknown == nil && m.repeated == nil }

// problems says what the object holds that it must not, one entry each kind.
func (m *members) problems() []string {
	problems := appendKeys(nil, "Unrecognized key", m.unknown)
	return appendKeys(problems, "Duplicate key", m.repeated)
}

func appendKeys(problems []string, what string, keys []string) []string {
	switch len(keys) {
	case 0:
		return problems
	case 1:
		return append(problems, what+": '"+keys[0]+"'")
	}
	return append(problems, what+"s: '"+strings.Join(keys, "', '")+"'")
}

const invalidParameters = "Invalid parameters: "

// readToolboxName reads the arguments of close_toolbox. The text says what is wrong
// with them, "" if nothing is (tests/acceptance/CONTRACT.md section 8).
func readToolboxName(arguments object) (domain.ToolboxName, string) {
	opening, problem := readOpening(arguments, false)
	return opening.toolbox, problem
}

// opening is what open_toolbox is asked for.
type opening struct {
	toolbox domain.ToolboxName
	// tools are the names of the tools to show when selects is set.
	tools   []string
	selects bool
}

// readOpening reads the arguments of open_toolbox, among them "tools" if there is such
// an argument. The text says what is wrong with them, "" if nothing is
// (tests/acceptance/CONTRACT.md section 4).
func readOpening(arguments object, selects bool) (opening, string) {
	if !arguments.isObject() {
		return opening{}, invalidParameters + "arguments must be an object"
	}
	known := []string{"toolbox", "tools"}
	if !selects {
		known = known[:1]
	}
	read := readMembers(arguments.members, known...)
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
		var problem string
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

// readToolNames reads a list of names of tools. The text says what is wrong with it.
func readToolNames(raw json.RawMessage) (names []string, problem string) {
	if rawjson.Kind(raw) != '[' {
		return nil, "tools must be a list of strings"
	}
	// The arguments were found to be JSON before.
	_ = rawjson.NewScanner().EachElement(raw, func(value []byte) error {
		switch {
		case rawjson.Kind(value) != '"':
			problem = "tools must be a list of strings"
		case isEmptyText(value) && problem == "":
			problem = "a name in tools cannot be empty"
		}
		names = append(names, rawjson.Text(value))
		return nil
	})
	return names, problem
}

// toolCall is what use_tool or read_tool is asked for.
type toolCall struct {
	tool domain.ToolIdentifier
	// registered is the name that the tool is called by as one of the workbench, "" for none.
	registered string
	arguments  json.RawMessage // an object in the host's bytes
	onlyReads  bool            // the tool may be called only if it only reads
}

// readUseTool reads the arguments of use_tool. The text says what is wrong with
// them, "" if nothing is: the first that applies of tests/acceptance/CONTRACT.md section 5.
func readUseTool(given object) (toolCall, string) {
	if !given.isObject() {
		return toolCall{}, invalidParameters + "arguments must be an object"
	}
	outer := readMembers(given.members, "tool", "arguments")
	tool := outer.value("tool")
	if !tool.members.Walked() {
		return toolCall{}, invalidParameters + "tool must be an object with toolbox, server and tool"
	}
	inner := readMembers(tool.members, "toolbox", "server", "tool")
	if problem := identifierProblem(&outer, &inner); problem != "" {
		if slices.Contains(inner.unknown, "name") {
			problem += "\nUse 'tool' for the tool's name."
		}
		return toolCall{}, problem
	}
	arguments := outer.value("arguments").raw
	if rawjson.IsNull(arguments) {
		arguments = json.RawMessage("{}")
	}
	if rawjson.Kind(arguments) != '{' {
		return toolCall{}, invalidParameters + "arguments must be an object"
	}
	return toolCall{arguments: arguments, tool: domain.ToolIdentifier{
		Toolbox: domain.ToolboxName(rawjson.Text(inner.value("toolbox").raw)),
		Server:  domain.ServerName(rawjson.Text(inner.value("server").raw)),
		Tool:    rawjson.Text(inner.value("tool").raw),
	}}, ""
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

// isEmptyText reports whether a raw value is an empty text, or none at all.
func isEmptyText(raw json.RawMessage) bool { return len(raw) <= len(`""`) || rawjson.Kind(raw) != '"' }
