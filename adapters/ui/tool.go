package ui

import (
	"encoding/json"

	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

// tool is a tool with the numbers of its calls.
type tool struct {
	id domain.ToolIdentifier
	// isListed says that the server is known to have the tool. cost is the approximate number of tokens in its
	// definition. The definition is nil if it is not known.
	isListed   bool
	cost       int
	definition json.RawMessage
	*figures
}

// list sets the facts that the server's list has about the tool.
func (t *tool) list(known Tool) {
	t.isListed, t.cost, t.definition = true, known.Tokens, known.Definition
}

// info returns the tool as its server lists it.
func (t *tool) info() domain.ToolInfo {
	return domain.ToolInfo{Name: t.id.Tool, Shown: domain.ShownText(t.id.Tool), Definition: t.definition}
}

// summary returns the first sentence of the description.
func (t *tool) summary() string {
	if t.definition == nil {
		return ""
	}
	return definitions.Summary(t.info())
}

// costs returns the approximate number of tokens in the definitions of tools.
func costs(tools []*tool) int {
	tokens := 0
	for _, t := range tools {
		tokens += t.cost
	}
	return tokens
}
