package shell

import (
	"encoding/json"
	"fmt"
	"strings"

	"mcp-workbench/adapters/terminal"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/domain/rawjson"
)

// Limits of what is shown of a definition.
const (
	maxDescription    = 20_000 // characters of the description of a tool
	maxParameters     = 200
	maxParameter      = 1000 // characters of the type of a parameter
	maxParameterProse = 4000 // characters of the description of a parameter
)

// describedTool shows everything about one tool that its callers need.
type describedTool struct {
	server          domain.ServerID
	tool            domain.ToolInfo
	needsYes, reads bool
}

// describedIn returns the tool that a place names, of the servers that were listed there.
//
// Failures: *CommandError, of domain.ErrToolNotFound or of why the server cannot be reached.
func describedIn(listed domain.OpenedToolbox, place Place) (describedTool, error) {
	server := listed.Servers[0]
	if server.Failure != nil {
		return describedTool{}, CallFailed(server.Failure)
	}
	list := domain.ToolList{Tools: server.Tools}
	tool, found := list.Index()[place.Tool]
	if !found {
		id := domain.ToolIdentifier{Toolbox: place.Toolbox.Name, Server: place.Server, Tool: place.Tool}
		return describedTool{}, CallFailed(&domain.ToolNotFoundError{Tool: id, Available: list.Names()})
	}
	return describedTool{server: server.ID, tool: tool, needsYes: server.NeedYes[tool.Name], reads: server.OnlyRead[tool.Name]}, nil
}

// lines returns the signature, the descriptions and a call as an example, for a number of columns, 0 for any.
// Every line of a description is marked, so that none looks like a line of the workbench. The example stays on
// one line, so that it can be copied.
func (t describedTool) lines(columns int, paint terminal.Paint) []string {
	described := definitions.Describe(t.tool)
	lines := []string{paint(terminal.Bold, domain.LineText(described.Signature))}
	lines = append(lines, markedLines("", described.Title, maxTitle)...)
	lines = append(lines, markedLines("", described.Text, maxDescription)...)
	for i, parameter := range described.Parameters {
		if i == maxParameters {
			lines = append(lines, fmt.Sprintf("  … %d more arguments; --json shows all", len(described.Parameters)-i))
			break
		}
		lines = append(lines, "", "  "+domain.LineText(shortText(parameter.Text, maxParameter)))
		lines = append(lines, markedLines("    ", parameter.Description, maxParameterProse)...)
	}
	lines = append(lines, "")
	switch {
	case t.needsYes:
		lines = append(lines, `Each call needs your approval ("confirm").`)
	case t.reads:
		lines = append(lines, `It only reads, by the configuration ("readOnly").`)
	}
	if columns > 0 {
		for i, line := range lines {
			mark := "  "
			if text, isMarked := strings.CutPrefix(strings.TrimLeft(line, " "), "| "); isMarked {
				mark = strings.TrimSuffix(line, text)
			}
			lines[i] = terminal.Hang(line, mark, columns)
		}
	}
	return append(lines, "Example: "+domain.LineText(t.example(described)))
}

// markedLines returns the lines of a text of a server, each behind a mark.
func markedLines(indent, text string, characters int) []string {
	if text == "" {
		return nil
	}
	lines := strings.Split(shortText(text, characters), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(indent+"  | "+strings.TrimRight(line, "\r"), " ")
	}
	return lines
}

// example returns a command line that calls the tool with its required arguments, or with one argument
// if it requires none.
func (t describedTool) example(described definitions.Description) string {
	words := []string{"mcp-workbench", "call", domain.ShellWord(t.server.Path() + "/" + t.tool.Shown)}
	for _, parameter := range described.Parameters {
		if parameter.Required {
			words = append(words, exampleArgument(described.InputSchema, parameter))
		}
	}
	if isEmpty := len(words) == 3; isEmpty && len(described.Parameters) > 0 {
		words = append(words, exampleArgument(described.InputSchema, described.Parameters[0]))
	}
	return strings.Join(words, " ")
}

// maxUnknown is the number of unknown arguments that are named.
const maxUnknown = 5

// unknownArguments returns a line for each argument that the tool does not describe, with the nearest one,
// and a line with what the tool takes; nil if there is none. The server decides about such arguments.
func unknownArguments(tool domain.ToolInfo, arguments json.RawMessage) []string {
	described := definitions.Describe(tool)
	object, err := rawjson.Parse(arguments)
	if err != nil || described.TakesOthers() {
		return nil
	}
	known, near := map[string]bool{}, []string{}
	for _, parameter := range described.Parameters {
		known[parameter.Name] = true
		if len(parameter.Name) <= maxTitle && len(near) < maxParameters {
			near = append(near, parameter.Name)
		}
	}
	var lines []string
	for _, member := range object.Parts {
		if known[member.Name] {
			continue
		}
		if len(lines) == maxUnknown {
			lines = append(lines, "… and more arguments that the tool does not describe")
			break
		}
		line := fmt.Sprintf("%s does not describe an argument %s", domain.QuotedName(tool.Shown), domain.QuotedName(member.Name))
		if nearest, found := domain.Nearest(shortText(member.Name, maxTitle), near); found {
			line += "; " + domain.DidYouMean(nearest)
		}
		lines = append(lines, line)
	}
	if lines != nil {
		lines = append(lines, signatureLine(tool))
	}
	return lines
}

// signatureLine says what a tool takes.
func signatureLine(tool domain.ToolInfo) string {
	return "it takes " + domain.LineText(shortText(definitions.Describe(tool).Signature, maxParameter))
}

// exampleArgument returns an argument as a word of a command line, with a value that the schema allows.
func exampleArgument(root rawjson.Value, parameter definitions.Parameter) string {
	var allowed valueSchema
	allowed.add(root, parameter.Schema, maxNesting)
	argument, value := parameter.Name+"=", "TEXT"
	switch {
	case len(allowed.values) > 0 && rawjson.Kind(allowed.values[0]) == '"':
		value = rawjson.Text(allowed.values[0])
	case len(allowed.values) > 0:
		argument, value = parameter.Name+":=", string(allowed.values[0])
	case len(allowed.types) == 0:
	default:
		value = exampleValue(allowed.types)
		if value == "[]" || value == "{}" {
			argument = parameter.Name + ":="
		}
	}
	return domain.ShellWord(argument + shortText(value, maxTitle))
}

// exampleValue returns a value of one of the types.
func exampleValue(types []string) string {
	values := map[string]string{"string": "TEXT", "integer": "1", "number": "1.5", "boolean": "true", "array": "[]", "object": "{}"}
	for _, name := range types {
		if value, known := values[name]; known {
			return value
		}
	}
	return "null"
}

// ShowListed prints what was listed of a place: what its tool takes, or a listing with its warnings and problems on the
// screen. If isShown is set, ShowServer has printed the tools of its servers.
//
// Failures: *CommandError, and those of printing.
func ShowListed(listed domain.OpenedToolbox, warnings []string, place Place, isShown bool, out, screen *terminal.Output, asJSON bool, paint terminal.Paint) error {
	if place.Tool == "" {
		listing := ListTools(listed, warnings)
		listing.isShown = isShown
		return listing.Show(out, screen, asJSON, paint)
	}
	shown, err := describedIn(listed, place)
	switch {
	case err != nil:
		return err
	case asJSON: // in the server's bytes
		if _, err := fmt.Fprintf(out.Data(), "%s\n", shown.tool.Definition); err != nil {
			return fmt.Errorf("print the definition: %w", err)
		}
		return nil
	}
	return out.Lines(shown.lines(out.Columns(), paint)...)
}
