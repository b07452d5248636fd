package lockreport

import (
	"fmt"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

// cost is what opening a toolbox costs a model.
type cost struct {
	Toolbox domain.ToolboxName `json:"toolbox"`
	Tools   int                `json:"tools"`
	Form    definitions.Form   `json:"form"`
	Bytes   int                `json:"bytes"`
	Tokens  int                `json:"tokens"`
	// Partial reports whether servers of the toolbox cannot be reached.
	Partial bool `json:"partial"`
}

// costs returns the cost of opening each toolbox with a server that can be reached.
func (r Outcome) costs() []cost {
	var costs []cost
	for _, opened := range r.Found.Opened {
		if opened.Connected() > 0 {
			costs = append(costs, openingCost(opened, r.Settings))
		}
	}
	return costs
}

// openingCost returns the cost of opening a toolbox in the form that the settings choose.
func openingCost(opened domain.OpenedToolbox, settings definitions.Settings) cost {
	name := opened.Toolbox.Name
	answer := wording.NewOpenAnswer(opened, wording.Showing{Form: settings.Form(name), Budget: settings.Budget})
	c := cost{
		Toolbox: name, Bytes: answer.Size(), Tokens: definitions.EstimateTokens(answer.Size()), Form: answer.Form(),
		Partial: opened.Connected() < len(opened.Servers),
	}
	for _, server := range opened.Servers {
		c.Tools += len(server.Tools)
	}
	return c
}

// String returns the cost as a line for people.
func (c cost) String() string {
	tools := plural(c.Tools, "tool")
	if c.Form != definitions.Full {
		tools += fmt.Sprintf(" (%s)", c.Form)
	}
	line := fmt.Sprintf("%s: opening shows %s in %.1f KB, about %d tokens, %.1f %% of a window of 200,000",
		c.Toolbox, tools, float64(c.Bytes)/1000, c.Tokens, definitions.WindowPart(c.Bytes))
	if c.Partial {
		line += ", without the servers that cannot be reached"
	}
	return line
}
