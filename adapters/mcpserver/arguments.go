package mcpserver

import (
	"encoding/json"
	"slices"
	"strings"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain"
)

// members are the members of a JSON object that a tool takes, by name, and what
// else it holds.
type members struct {
	values   map[string]json.RawMessage
	unknown  []string
	repeated []string
}

// readMembers reads a raw object whose legal names are known. It reports whether
// it is one. Absent and null count as an empty object.
func readMembers(raw json.RawMessage, known ...string) (members, bool) {
	read := members{values: map[string]json.RawMessage{}}
	if jsonrpc.IsNull(raw) {
		return read, true
	}
	err := jsonrpc.NewScanner().Object(raw, func(name, value []byte) error {
		key := string(name)
		_, seen := read.values[key]
		switch {
		case !slices.Contains(known, key):
			read.unknown = append(read.unknown, key)
		case seen:
			read.repeated = append(read.repeated, key)
		default:
			read.values[key] = value
		}
		return nil
	})
	return read, err == nil
}

// problems says what the object holds that it must not, one entry each kind.
func (m members) problems() []string {
	var problems []string
	problems = appendKeys(problems, "Unrecognized key", m.unknown)
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

// readOpenToolbox reads the arguments of open_toolbox. The text says what is
// wrong with them, "" if nothing is (CONTRACT.md section 4).
func readOpenToolbox(raw json.RawMessage) (domain.ToolboxName, string) {
	read, ok := readMembers(raw, "toolbox")
	if !ok {
		return "", invalidParameters + "arguments must be an object"
	}
	var problems []string
	value, given := read.values["toolbox"]
	name := jsonrpc.Text(value)
	switch {
	case given && jsonrpc.Kind(value) != '"':
		problems = append(problems, "toolbox must be a string")
	case strings.TrimSpace(name) == "":
		problems = append(problems, "toolbox cannot be empty")
	}
	problems = append(problems, read.problems()...)
	if problems != nil {
		return "", invalidParameters + strings.Join(problems, "; ")
	}
	return domain.ToolboxName(name), ""
}

// readUseTool reads the arguments of use_tool. The text says what is wrong with
// them, "" if nothing is: the first that applies of CONTRACT.md section 5.
func readUseTool(raw json.RawMessage) (domain.ToolIdentifier, json.RawMessage, string) {
	outer, ok := readMembers(raw, "tool", "arguments")
	if !ok {
		return domain.ToolIdentifier{}, nil, invalidParameters + "arguments must be an object"
	}
	inner, ok := readMembers(outer.values["tool"], "toolbox", "server", "tool")
	if !ok || jsonrpc.IsNull(outer.values["tool"]) {
		return domain.ToolIdentifier{}, nil, invalidParameters + "tool must be an object with toolbox, server and tool"
	}
	if problem := identifierProblem(outer, inner); problem != "" {
		if slices.Contains(inner.unknown, "name") {
			problem += "\nUse 'tool' for the tool's name."
		}
		return domain.ToolIdentifier{}, nil, problem
	}
	arguments := outer.values["arguments"]
	if jsonrpc.IsNull(arguments) {
		arguments = json.RawMessage("{}")
	}
	if jsonrpc.Kind(arguments) != '{' {
		return domain.ToolIdentifier{}, nil, invalidParameters + "arguments must be an object"
	}
	return domain.ToolIdentifier{
		Toolbox: domain.ToolboxName(jsonrpc.Text(inner.values["toolbox"])),
		Server:  domain.ServerName(jsonrpc.Text(inner.values["server"])),
		Tool:    jsonrpc.Text(inner.values["tool"]),
	}, arguments, ""
}

func identifierProblem(outer, inner members) string {
	for _, member := range []string{"toolbox", "server", "tool"} {
		if jsonrpc.Text(inner.values[member]) == "" {
			return "Invalid tool identifier: " + member + " cannot be empty"
		}
	}
	both := members{
		unknown:  append(outer.unknown, inner.unknown...),
		repeated: append(outer.repeated, inner.repeated...),
	}
	if problems := both.problems(); problems != nil {
		return invalidParameters + strings.Join(problems, "; ")
	}
	return ""
}
