package application

import (
	"encoding/json"
	"sync"

	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/ports"
)

// ArgumentChecker refuses calls whose arguments break the input schema of a tool that
// the host was not shown whole. It belongs to one host. Nil checks nothing. Safe for
// concurrent use.
type ArgumentChecker struct {
	all      bool // every call is checked, whatever was shown
	settings definitions.Settings

	mu    sync.Mutex // guards tools; nothing blocks under it
	tools map[domain.ToolIdentifier]*knownDefinition
}

// knownDefinition is what is known of a tool's definition, as it was last listed.
type knownDefinition struct {
	definition json.RawMessage
	shown      bool
	compiled   bool
	schema     *definitions.Schema
}

// NewArgumentChecker returns a checker that follows the settings, nil when they let
// every call of every toolbox pass.
func NewArgumentChecker(catalog ports.Catalog, settings definitions.Settings) *ArgumentChecker {
	if !settings.ChecksCalls(catalog.Toolboxes()) {
		return nil
	}
	return &ArgumentChecker{
		all: settings.Validation == definitions.ValidateAll, settings: settings,
		tools: map[domain.ToolIdentifier]*knownDefinition{},
	}
}

// checks reports whether calls of a toolbox are checked.
func (c *ArgumentChecker) checks(toolbox domain.ToolboxName) bool {
	form := c.settings.Form(toolbox)
	return c.all || form.Short() || form == definitions.Auto
}

// RecordShown implements ports.ShownDefinitions.
func (c *ArgumentChecker) RecordShown(server domain.ServerID, tools []domain.ToolInfo) {
	if c == nil || !c.checks(server.Toolbox) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, tool := range tools {
		c.knownLocked(server, tool).shown = true
	}
}

// check returns a *domain.InvalidArgumentsError when arguments break the input schema
// of a listed tool. Then its definition counts as shown.
func (c *ArgumentChecker) check(server domain.ServerID, tool domain.ToolInfo, arguments json.RawMessage) error {
	if c == nil || !c.checks(server.Toolbox) {
		return nil
	}
	schema := c.schema(server, tool)
	problems := schema.Check(arguments)
	if len(problems) == 0 {
		return nil
	}
	c.RecordShown(server, []domain.ToolInfo{tool})
	return &domain.InvalidArgumentsError{
		Tool:     domain.ToolIdentifier{Toolbox: server.Toolbox, Server: server.Server, Tool: tool.Name},
		Problems: definitions.Explain(problems), Definition: tool.Definition,
	}
}

// schema returns what the arguments of a tool are checked with, nil for nothing. It is
// compiled once for each definition.
func (c *ArgumentChecker) schema(server domain.ServerID, tool domain.ToolInfo) *definitions.Schema {
	c.mu.Lock()
	defer c.mu.Unlock()
	known := c.knownLocked(server, tool)
	if known.shown && !c.all {
		return nil
	}
	if !known.compiled {
		known.schema, known.compiled = definitions.CompileSchema(tool.Definition), true
	}
	return known.schema
}

// knownLocked returns what is known of a tool. Of another definition than before
// nothing is.
func (c *ArgumentChecker) knownLocked(server domain.ServerID, tool domain.ToolInfo) *knownDefinition {
	id := domain.ToolIdentifier{Toolbox: server.Toolbox, Server: server.Server, Tool: tool.Name}
	known := c.tools[id]
	if known == nil || !sameBytes(known.definition, tool.Definition) {
		known = &knownDefinition{definition: tool.Definition}
		c.tools[id] = known
	}
	return known
}

// sameBytes compares definitions, of which most are one and the same.
func sameBytes(a, b json.RawMessage) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0] || string(a) == string(b))
}
