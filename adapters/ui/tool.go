package ui

import (
	"encoding/json"

	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

// tool is a tool with the numbers of its calls.
type tool struct {
	id domain.ToolIdentifier
	// isListed says that the server has it, as far as that is known. cost is about how many tokens its
	// definition takes, which is nil if it is not known.
	isListed   bool
	cost       int
	definition json.RawMessage
	*figures
}

// list notes what is known of the tool.
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

// costs returns about how many tokens the definitions of tools take together.
func costs(tools []*tool) int {
	tokens := 0
	for _, t := range tools {
		tokens += t.cost
	}
	return tokens
}
