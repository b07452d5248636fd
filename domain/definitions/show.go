package definitions

import (
	"slices"

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
	// Form is the form that was chosen, never Auto. Full and Lean are written as a list
	// of objects from the definitions, in the server's bytes.
	Form Form
	// Servers hold the tools as texts when the form is Compact or Names, in the order
	// that was given; a server without tools has an entry, too.
	Servers []ServerTexts
	// Bytes is what the member "tools" of the answer takes at most, with a line break
	// after each tool.
	Bytes int
}

// ServerTexts are the tools of a server, a clean text in one line each.
type ServerTexts struct {
	Server domain.ServerName
	Tools  []string
}

// Show makes the tools of a toolbox ready to be shown. Budget is what they may take,
// in bytes. Auto heeds it, and Names: where first sentences do not fit they are
// shortened, then left out, but names never are, so that very many tools take more.
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

// readTool is a tool whose definition was parsed, and whose signature is made when it
// is first asked for.
type readTool struct {
	definition rawjson.Value
	// name is as the short forms write it, sentence is the first of the description, and
	// rest what follows it.
	name, sentence, rest string
	signature            *signature
}

func readDefinition(tool domain.ToolInfo) *readTool {
	definition, _ := rawjson.Parse(tool.Definition)
	sentence, rest := firstSentence(definition.Member("description").Text())
	return &readTool{definition: definition, name: toolName(clean(tool.Shown)), sentence: sentence, rest: rest}
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

// lineBytes is what separates a tool from the next: a comma and a line break.
const lineBytes = len(",\n")

// placeBytes is what an object says of where it belongs.
func placeBytes(toolbox domain.ToolboxName, server domain.ServerName) int {
	return len(`,"server":,"toolbox":`) + quotedLength(string(server)) + quotedLength(string(toolbox)) + lineBytes
}

func fullBytes(toolbox domain.ToolboxName, servers []ServerTools) int {
	bytes := len("[]")
	for _, server := range servers {
		for _, tool := range server.Tools {
			bytes += len(tool.Definition) + placeBytes(toolbox, server.Server)
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

// showTexts shows each tool as a text that a function makes of it.
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
