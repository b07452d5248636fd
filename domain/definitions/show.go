package definitions

import (
	"slices"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// ServerTools are the tools of a server, in its order.
type ServerTools struct {
	Server domain.ServerName
	Tools  []domain.ToolInfo
}

// Shown is how the tools of a toolbox are shown.
type Shown struct {
	// Form is the chosen form, never Auto. Full and Lean are lists of objects from the
	// definitions, in the server's bytes.
	Form Form
	// Servers contain the tools as texts when the form is Compact or Names, in the given order.
	// A server without tools has an entry, too.
	Servers []ServerTexts
	// Bytes is the maximum length of the member "tools" of the answer, with a line break after
	// each tool.
	Bytes int
}

// ServerTexts are the tools of a server, a clean text in one line each.
type ServerTexts struct {
	Server domain.ServerName
	Tools  []string
}

// Show renders the tools of a toolbox. Auto and Names keep to the budget, in bytes: Names
// shortens the first sentences, then leaves them out. Names of tools are always complete, so
// very many tools exceed the budget.
func Show(form Form, toolbox domain.ToolboxName, servers []ServerTools, budget int) Shown {
	if form == Full {
		return Shown{Form: Full, Bytes: fullBytes(toolbox, servers)}
	}
	read := readAll(servers)
	switch form {
	case Lean:
		return showLean(toolbox, read)
	case Compact:
		return showTexts(Compact, read, compactWithProse)
	case Names:
		return showNames(read, budget)
	}
	for _, show := range []func() Shown{
		func() Shown { return showLean(toolbox, read) },
		func() Shown { return showTexts(Compact, read, compactWithProse) },
		func() Shown { return showTexts(Compact, read, compactWithoutProse) },
	} {
		if shown := show(); shown.Bytes <= budget {
			return shown
		}
	}
	return showNames(read, budget)
}

// readTool is a tool whose definition was parsed. Its signature is made when first needed.
type readTool struct {
	definition rawjson.Value
	// name is the name in the short forms. first is the first sentence of the description, "" before it was read.
	name, first string
	signature   *signature
}

func readDefinition(tool domain.ToolInfo) *readTool {
	definition, _ := rawjson.Parse(tool.Definition)
	return &readTool{definition: definition, name: toolName(clean(tool.Shown))}
}

// sentence returns the first sentence of the description.
func (t *readTool) sentence() string {
	if t.first == "" {
		_ = t.readDescription()
	}
	return t.first
}

// readDescription reads the first sentence of the description, and returns the others. The tool keeps nothing else of
// it: all tools of a toolbox are shown together, and their descriptions can be long.
func (t *readTool) readDescription() (rest string) {
	first, rest := firstSentence(t.definition.Member("description").Text())
	t.first = strings.Clone(first)
	return rest
}

func (t *readTool) sign() *signature {
	if t.signature == nil {
		t.signature = sign(t)
	}
	return t.signature
}

type readServer struct {
	name  domain.ServerName
	tools []*readTool
}

func readAll(servers []ServerTools) []readServer {
	var read []readServer
	for _, server := range servers {
		tools := make([]*readTool, 0, len(server.Tools))
		for _, tool := range server.Tools {
			tools = append(tools, readDefinition(tool))
		}
		read = append(read, readServer{name: server.Server, tools: tools})
	}
	return read
}

func compactWithProse(t *readTool) string { return t.sign().text(true) }

func compactWithoutProse(t *readTool) string { return t.sign().text(false) }

// lineBytes is the length of the comma and the line break between two tools.
const lineBytes = len(",\n")

// placeBytes returns the length of the members that name the server and toolbox of a tool.
func placeBytes(toolbox domain.ToolboxName, server domain.ServerName) int {
	return len(`,"server":,"toolbox":`) + quotedLength(string(server)) + quotedLength(string(toolbox)) + lineBytes
}

func fullBytes(toolbox domain.ToolboxName, servers []ServerTools) int {
	bytes := len("[]")
	for _, server := range servers {
		for _, tool := range server.Tools {
			bytes += ShownBytes(tool.Definition) + placeBytes(toolbox, server.Server)
		}
	}
	return bytes
}

func showLean(toolbox domain.ToolboxName, servers []readServer) Shown {
	bytes := len("[]")
	for _, server := range servers {
		for _, tool := range server.tools {
			bytes += len("{}") + placeBytes(toolbox, server.name)
			for _, m := range tool.definition.Parts {
				if slices.Contains(LeanMembers(), m.Name) {
					bytes += len(`"":,`) + len(m.Name) + len(m.Raw)
				}
			}
		}
	}
	return Shown{Form: Lean, Bytes: bytes}
}

// showTexts shows each tool as the text that a function returns for it.
func showTexts(form Form, servers []readServer, text func(*readTool) string) Shown {
	shown := Shown{Form: form, Bytes: len("{}"), Servers: make([]ServerTexts, 0, len(servers))}
	for _, server := range servers {
		texts := ServerTexts{Server: server.name, Tools: make([]string, 0, len(server.tools))}
		shown.Bytes += quotedLength(string(server.name)) + len(`:[]`) + lineBytes
		for _, tool := range server.tools {
			t := text(tool)
			texts.Tools = append(texts.Tools, t)
			shown.Bytes += quotedLength(t) + lineBytes
		}
		shown.Servers = append(shown.Servers, texts)
	}
	return shown
}
