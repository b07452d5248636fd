package wording

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/domain/extensions"
	"mcp-workbench/domain/rawjson"
)

var (
	//go:embed text/open_toolbox.md
	openToolboxText string
	//go:embed text/open_toolbox.schema.json
	openToolboxSchema string
	//go:embed text/use_tool.md
	useToolText string
	//go:embed text/use_tool.schema.json
	useToolSchema string
	//go:embed text/read_tool.md
	readToolText string
	//go:embed text/read_result.md
	readResultText string
	//go:embed text/read_result.schema.json
	readResultSchema string
	//go:embed text/find_tool.md
	findToolText string
	//go:embed text/find_tool.schema.json
	findToolSchema string
	//go:embed text/close_toolbox.md
	closeToolboxText string
	//go:embed text/close_toolbox.schema.json
	closeToolboxSchema string
)

// maxResultChars asks hosts that cut results to let this many characters of an
// open_toolbox answer through.
const maxResultChars = 500_000

// OwnToolNames returns the names of the workbench's own tools, including those that are not configured.
func OwnToolNames() []string {
	return []string{domain.ToolOpenToolbox, domain.ToolUseTool, domain.ToolReadTool, domain.ToolReadResult, domain.ToolFindTool, domain.ToolCloseToolbox}
}

// Registration says which tools of servers a host lists beside the workbench's own.
type Registration struct {
	// Dynamic is set for those of open toolboxes, Pages for those with a page.
	Dynamic, Pages bool
	// ClosesObjects is set if the host lets its model send only members that a schema names.
	ClosesObjects bool
}

// OwnTools returns the definitions of the workbench's own tools, separated by commas, for the array of
// tools/list. What they say about the answer of open_toolbox depends on the settings. If pages are shown,
// no page can call these tools.
func OwnTools(toolboxes []domain.Toolbox, settings definitions.Settings, registration Registration) json.RawMessage {
	forms, selects := settings.Used(toolboxes), domain.FitsResults(toolboxes)
	schema := callSchema(selects, registration.ClosesObjects)
	tools := []mcp.Tool{
		openToolboxTool(toolboxes, forms, registration),
		// It can do whatever any tool can do.
		ownTool(domain.ToolUseTool, "Use tool", useToolDescription(forms, settings.ChecksCalls(toolboxes)), schema, behaviour{destroys: true, reachesAll: true}),
	}
	if settings.ReadTool {
		tools = append(tools, ownTool(domain.ToolReadTool, "Read with a tool", readToolText, schema, behaviour{reads: true, repeats: true, reachesAll: true}))
	}
	if selects {
		tools = append(tools, ownTool(domain.ToolReadResult, "Read result", readResultText, readResultSchema, behaviour{reads: true, repeats: true}))
	}
	if registration.Dynamic { // closing is destructive, since the servers lose what they have in memory
		tools = append(tools, ownTool(domain.ToolCloseToolbox, "Close toolbox", closeToolboxText, closeToolboxSchema, behaviour{destroys: true, repeats: true}))
	}
	var list json.RawMessage
	for i, tool := range tools {
		if i > 0 {
			list = append(list, ',')
		}
		list = append(list, definition(tool, registration.Pages)...)
	}
	return list
}

// definition returns the definition of a tool. If pages are shown, no page can call the tool.
//
// Decision: the members are written out in the order in which models read them and hosts have always got them.
// Marshalling mcp.Tool would sort them by name and escape text for HTML.
func definition(tool mcp.Tool, pages bool) json.RawMessage {
	definition := rawjson.Object{}.
		Text("name", tool.Name).
		Text("description", tool.Description).
		Raw("inputSchema", bytes.TrimSpace(tool.RawInputSchema)).
		Raw("annotations", rawjson.MustMarshal(tool.Annotations)).
		Raw("_meta", rawjson.MustMarshal(tool.Meta)).
		JSON()
	if pages {
		return extensions.OnlyForModels(definition)
	}
	return definition
}

// alwaysLoaded returns what tells hosts that hide tools until they are searched for to show a tool at all times.
func alwaysLoaded() *mcp.Meta {
	return mcp.NewMetaFromMap(map[string]any{"anthropic/alwaysLoad": true})
}

// registeredText says in the description of open_toolbox what happens to the tools in dynamic mode.
const registeredText = " While the toolbox is open, its tools are also tools of their own, each by its registered_name."

// pagesText says in the description of open_toolbox which tools have pages.
const pagesText = " A tool with a registered_name shows its result on a page if it is called by that name."

// openToolboxTool defines open_toolbox. Its description and its schema name the
// toolboxes, for hosts that drop or cut instructions.
func openToolboxTool(toolboxes []domain.Toolbox, forms []definitions.Form, registration Registration) mcp.Tool {
	text := openToolboxDescription(forms)
	switch {
	case registration.Dynamic:
		text += registeredText
	case registration.Pages:
		text += pagesText
	}
	tool := ownTool(domain.ToolOpenToolbox, "Open toolbox", toolboxNames(text, toolboxes), withSelection(toolboxSchema(toolboxes), forms),
		behaviour{repeats: true})
	tool.Meta.AdditionalFields["anthropic/maxResultSizeChars"] = maxResultChars
	return tool
}

// behaviour holds the hints about a tool: it only reads, it destroys, further calls have no effect, it reaches other
// machines.
type behaviour struct{ reads, destroys, repeats, reachesAll bool }

// ownTool returns a tool of the workbench with a title for users, a text and a schema.
func ownTool(name, title, text, schema string, does behaviour) mcp.Tool {
	return mcp.Tool{
		Name: name, Description: strings.TrimSpace(text), RawInputSchema: json.RawMessage(schema), Meta: alwaysLoaded(),
		Annotations: mcp.ToolAnnotation{
			Title: title, ReadOnlyHint: &does.reads, DestructiveHint: &does.destroys, IdempotentHint: &does.repeats, OpenWorldHint: &does.reachesAll,
		},
	}
}

// callSchema returns the schema of use_tool and read_tool, which have the argument "select" if results of
// some toolbox are cut to fit.
//
// Decision: only hosts that are known to close objects read that "arguments" may be a text, although every host may send
// one. The APIs of some models take no list of types.
func callSchema(selects, closed bool) string {
	schema := useToolSchema
	if closed {
		const object, ofText = `"type":"object","description":"Arguments for the tool"`, `"type":["object","string"],"description":"Arguments for the tool, as an object or as the JSON text of one"`
		schema = strings.Replace(schema, object, ofText, 1)
	}
	if !selects {
		return schema
	}
	const required = `},"required":["tool"]`
	return strings.Replace(schema, required,
		`,"select":{"type":"string","description":"jq program: shows its output instead of the result"}`+required, 1)
}

// FindToolDefinition returns the definition of find_tool. If pages are shown, no page can call it.
func FindToolDefinition(pages bool) json.RawMessage {
	return definition(ownTool(domain.ToolFindTool, "Find tool", findToolText, findToolSchema, behaviour{reads: true, repeats: true}), pages)
}

// toolboxLines lists the toolboxes with their descriptions. Hosts that cut
// descriptions of tools pass on schemas whole.
func toolboxLines(toolboxes []domain.Toolbox) string {
	var lines strings.Builder
	for _, toolbox := range toolboxes {
		fmt.Fprintf(&lines, "\n- %s", toolbox.Name)
		if toolbox.Description != "" {
			fmt.Fprintf(&lines, ": %s", toolbox.Description)
		}
	}
	return lines.String()
}

// toolboxSchema adds the toolboxes to the schema of open_toolbox.
func toolboxSchema(toolboxes []domain.Toolbox) string {
	if len(toolboxes) == 0 {
		return openToolboxSchema
	}
	names := domain.NamesOf(toolboxes)
	const description = `"description":"Name of the toolbox to open"`
	members := rawjson.Object{}.
		Texts("enum", names).
		Text("description", "Name of the toolbox to open:"+toolboxLines(toolboxes)).
		JSON()
	return strings.Replace(openToolboxSchema, description, string(members[1:len(members)-1]), 1)
}

// maxDescription is the maximum length of the description of a tool: OpenAI refuses a whole request with a longer one.
const maxDescription = 1024

// toolboxNames adds the names of the toolboxes to the end of the description of open_toolbox, as many as
// there is room for.
func toolboxNames(text string, toolboxes []domain.Toolbox) string {
	if len(toolboxes) == 0 {
		return text + "\n\nNo toolboxes configured."
	}
	names := domain.NamesOf(toolboxes)
	for n := len(names); ; n-- {
		list := strings.Join(names[:n], ", ")
		if n < len(names) {
			list += fmt.Sprintf(" and %d more, which the schema names", len(names)-n)
		}
		if whole := text + "\n\nToolboxes: " + list; n == 0 || length(whole) <= maxDescription {
			return whole
		}
	}
}
