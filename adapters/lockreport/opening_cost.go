package lockreport

import (
	"fmt"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

// cost is what the answer of open_toolbox costs a model.
type cost struct {
	toolbox domain.ToolboxName
	tools   int
	bytes   int
	form    definitions.Form
	// partial says that servers are missing in the answer.
	partial bool
}

// openingCost returns what it costs a model to open a toolbox, as it was opened, in the
// form that the settings say.
func openingCost(opened domain.OpenedToolbox, settings definitions.Settings) cost {
	name := opened.Toolbox.Name
	answer := wording.NewOpenAnswer(opened, wording.Showing{Form: settings.Form(name), Budget: settings.Budget})
	c := cost{
		toolbox: name, bytes: answer.Size(), form: answer.Form(),
		partial: opened.Connected() < len(opened.Servers),
	}
	for _, server := range opened.Servers {
		c.tools += len(server.Tools)
	}
	return c
}

// String returns the cost as a line for people.
func (c cost) String() string {
	tools := fmt.Sprintf("%d tools", c.tools)
	if c.tools == 1 {
		tools = "1 tool"
	}
	if c.form != definitions.Full {
		tools += fmt.Sprintf(" (%s)", c.form)
	}
	line := fmt.Sprintf("%s: opening shows %s in %.1f KB, about %d tokens, %.1f %% of a window of 200,000",
		c.toolbox, tools, float64(c.bytes)/1000, definitions.EstimateTokens(c.bytes), definitions.WindowPart(c.bytes))
	if c.partial {
		line += ", without the servers that cannot be reached"
	}
	return line
}
