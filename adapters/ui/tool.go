package ui

import (
	"encoding/json"

	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

// tool is a tool with the numbers of its calls.
type tool struct {
	ID domain.ToolIdentifier
	// IsListed says that the server is known to have the tool. Cost is the approximate number of tokens in its
	// definition. The definition is nil if it is not known.
	IsListed   bool
	Cost       int
	Definition json.RawMessage
	*figures
}

// list sets the facts that the server's list has about the tool.
func (t *tool) list(known Tool) {
	t.IsListed, t.Cost, t.Definition = true, known.Tokens, known.Definition
}

// info returns the tool as its server lists it.
func (t *tool) info() domain.ToolInfo {
	return domain.ToolInfo{Name: t.ID.Tool, Shown: domain.ShownText(t.ID.Tool), Definition: t.Definition}
}

// Summary returns the first sentence of the description.
func (t *tool) Summary() string {
	if t.Definition == nil {
		return ""
	}
	return definitions.Summary(t.info())
}

// costs returns the approximate number of tokens in the definitions of tools.
func costs(tools []*tool) int {
	tokens := 0
	for _, t := range tools {
		tokens += t.Cost
	}
	return tokens
}
