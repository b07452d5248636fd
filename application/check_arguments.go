package application

import (
	"encoding/json"
	"hash/maphash"
	"sync"

	"mcp-workbench/domain"
	"mcp-workbench/domain/arguments"
	"mcp-workbench/domain/definitions"
)

// ArgumentChecker refuses calls whose arguments break the input schema of a tool whose
// whole definition the host was not shown. It belongs to one host. Nil checks nothing.
// Safe for concurrent use.
type ArgumentChecker struct {
	settings func() definitions.Settings
	seed     maphash.Seed

	mu    sync.Mutex // guards shown; nothing blocks under it
	shown domain.Recent[uint64, struct{}]
}

// maxShown is the number of definitions that the checker remembers as shown; the older half may be forgotten.
const maxShown = 10_000

// NewArgumentChecker returns a checker that reads the settings at each call.
func NewArgumentChecker(settings func() definitions.Settings) *ArgumentChecker {
	return &ArgumentChecker{settings: settings, seed: maphash.MakeSeed()}
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
		c.shown.Put(c.key(server, tool), struct{}{}, maxShown)
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
	if !every && c.wasShown(server, tool) {
		return nil
	}
	problems := arguments.CompileSchema(tool.Definition).Check(text)
	if len(problems) == 0 {
		return nil
	}
	c.RecordShown(server, []domain.ToolInfo{tool})
	return &domain.InvalidArgumentsError{
		Tool:     domain.ToolIdentifier{Toolbox: server.Toolbox, Server: server.Server, Tool: tool.Name},
		Problems: arguments.Explain(problems), Definition: tool.Definition,
	}
}

func (c *ArgumentChecker) wasShown(server domain.ServerID, tool domain.ToolInfo) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, shown := c.shown.Get(c.key(server, tool))
	return shown
}

// key returns the key of a tool with its definition.
func (c *ArgumentChecker) key(server domain.ServerID, tool domain.ToolInfo) uint64 {
	var hash maphash.Hash
	hash.SetSeed(c.seed)
	_, _ = hash.Write(tool.Definition) // never fails
	maphash.WriteComparable(&hash, domain.ToolIdentifier{Toolbox: server.Toolbox, Server: server.Server, Tool: tool.Name})
	return hash.Sum64()
}
