package lockreport

import (
	"fmt"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

// cost is the price of opening a toolbox, in tokens of a model.
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

// maxCosts is the largest number of toolboxes that each get a line about their cost, unless Details is set.
const maxCosts = 8

// describeCosts returns lines about the cost of opening toolboxes: one for each that differs from the
// lock, if there are few of those, and one for all toolboxes together.
func (r Outcome) describeCosts() []string {
	costs := r.costs()
	differing := map[domain.ToolboxName]bool{}
	for _, difference := range r.Found.Differences {
		differing[difference.Tool.Toolbox] = true
	}
	for _, difference := range r.Found.Instructions {
		differing[difference.ID.Toolbox] = true
	}
	var lines []string
	total := cost{Form: definitions.Full, Partial: len(costs) < len(r.Found.Opened)}
	for _, c := range costs {
		total.Tools, total.Bytes, total.Partial = total.Tools+c.Tools, total.Bytes+c.Bytes, total.Partial || c.Partial
		if r.Details || len(costs) == 1 || differing[c.Toolbox] {
			lines = append(lines, c.String())
		}
	}
	if !r.Details && len(lines) > maxCosts {
		lines = nil
	}
	if len(costs) > 1 {
		total.Tokens = definitions.EstimateTokens(total.Bytes)
		line := fmt.Sprintf("all %d toolboxes: %s", len(r.Found.Opened), total.text())
		if len(lines) < len(costs) {
			line += "; with --details there is a line for each"
		}
		lines = append(lines, line)
	}
	return lines
}

// String returns the cost of opening a toolbox as a line for people.
func (c cost) String() string { return string(c.Toolbox) + ": " + c.text() }

// text returns the cost without a name.
func (c cost) text() string {
	line := fmt.Sprintf("opening shows %s in about %d tokens, %.1f %% of a window of 200,000",
		domain.Counted(c.Tools, "tool"), c.Tokens, definitions.WindowPart(c.Bytes))
	if c.Form != definitions.Full {
		line += fmt.Sprintf(", in the form of \"definitions\": %q", c.Form)
	}
	if c.Partial {
		line += ", without the servers that cannot be reached"
	}
	return line
}
