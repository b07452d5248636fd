package application

import (
	"encoding/json"
	"maps"
	"sync"

	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/domain/arguments"
	"mcp-workbench/domain/definitions"
)

// ArgumentChecker refuses calls whose arguments break the input schema of a tool whose
// whole definition the host was not shown. It belongs to one host. Nil checks nothing.
// Safe for concurrent use.
type ArgumentChecker struct {
	settings func() definitions.Settings
	listed   *sessions.KnownTools

	mu      sync.Mutex // guards servers; nothing blocks under it
	servers map[domain.ServerID]*knownDefinitions
}

// knownDefinitions are the definitions of the tools of a server, by their exact names.
type knownDefinitions struct {
	tools map[string]*knownDefinition
	most  int // with more, those of tools that the server no longer lists are removed
}

// leastKnown is a number of definitions of a server that are always kept.
const leastKnown = 64

// knownDefinition is a tool's definition, as it was last listed.
type knownDefinition struct {
	definition json.RawMessage
	shown      bool
	compiled   bool
	schema     *arguments.Schema
}

// NewArgumentChecker returns a checker that reads the settings at each call. Listed are the tools that
// servers list now.
func NewArgumentChecker(settings func() definitions.Settings, listed *sessions.KnownTools) *ArgumentChecker {
	return &ArgumentChecker{settings: settings, listed: listed, servers: map[domain.ServerID]*knownDefinitions{}}
}

// checks reports whether calls of tools in a toolbox are checked, and whether that
// includes tools that were shown.
func (c *ArgumentChecker) checks(toolbox domain.ToolboxName) (checked, every bool) {
	settings := c.settings()
	switch settings.Validation {
	case definitions.ValidateNone:
		return false, false
	case definitions.ValidateAll:
		return true, true
	case definitions.ValidateUnseen:
	}
	return settings.ChecksUnseen(toolbox), false
}

// RecordShown implements ports.ShownDefinitions.
func (c *ArgumentChecker) RecordShown(server domain.ServerID, tools []domain.ToolInfo) {
	if c == nil {
		return
	}
	if checked, _ := c.checks(server.Toolbox); !checked {
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
func (c *ArgumentChecker) check(server domain.ServerID, tool domain.ToolInfo, text json.RawMessage) error {
	if c == nil {
		return nil
	}
	checked, every := c.checks(server.Toolbox)
	if !checked {
		return nil
	}
	schema := c.schema(server, tool, every)
	problems := schema.Check(text)
	if len(problems) == 0 {
		return nil
	}
	c.RecordShown(server, []domain.ToolInfo{tool})
	return &domain.InvalidArgumentsError{
		Tool:     domain.ToolIdentifier{Toolbox: server.Toolbox, Server: server.Server, Tool: tool.Name},
		Problems: arguments.Explain(problems), Definition: tool.Definition,
	}
}

// schema returns the schema to check the arguments of a tool with, nil for no check. With
// every, tools that were shown are checked too. A schema is compiled once for each
// definition.
func (c *ArgumentChecker) schema(server domain.ServerID, tool domain.ToolInfo, every bool) *arguments.Schema {
	c.mu.Lock()
	defer c.mu.Unlock()
	known := c.knownLocked(server, tool)
	if known.shown && !every {
		return nil
	}
	if !known.compiled {
		known.schema, known.compiled = arguments.CompileSchema(tool.Definition), true
	}
	return known.schema
}

// knownLocked returns the entry of a tool with this definition. It replaces an entry
// with another definition.
func (c *ArgumentChecker) knownLocked(server domain.ServerID, tool domain.ToolInfo) *knownDefinition {
	of := c.servers[server]
	if of == nil {
		of = &knownDefinitions{tools: map[string]*knownDefinition{}, most: leastKnown}
		c.servers[server] = of
	}
	known := of.tools[tool.Name]
	if known == nil || !sameBytes(known.definition, tool.Definition) {
		if known == nil && len(of.tools) >= of.most {
			c.removeUnlisted(server, of)
		}
		known = &knownDefinition{definition: tool.Definition}
		of.tools[tool.Name] = known
	}
	return known
}

// removeUnlisted removes the definitions of tools that a server no longer lists, since it can rename its tools any
// number of times.
func (c *ArgumentChecker) removeUnlisted(server domain.ServerID, of *knownDefinitions) {
	names, _ := c.listed.Names(server)
	listed := make(map[string]bool, len(names))
	for _, name := range names {
		listed[name] = true
	}
	maps.DeleteFunc(of.tools, func(name string, _ *knownDefinition) bool { return !listed[name] })
	of.most = max(leastKnown, 2*len(names))
}

// sameBytes reports whether definitions are equal. Most of them share their memory.
func sameBytes(a, b json.RawMessage) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0] || string(a) == string(b))
}
