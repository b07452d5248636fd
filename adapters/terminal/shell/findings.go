package shell

import (
	"strings"

	"mcp-workbench/adapters/terminal"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

// Findings is the output of list --find. Its JSON is stable: members are added, never changed.
type Findings struct {
	// Found are tools and toolboxes, the best first.
	Found []Finding `json:"found"`
	// Unlisted are the toolboxes with tools that were never listed.
	Unlisted []string `json:"unlisted,omitempty"`
}

// Finding is a tool, or a toolbox with tools that are not known.
type Finding struct {
	// Tool is TOOLBOX/SERVER/TOOL, "" for a toolbox.
	Tool    string `json:"tool,omitempty"`
	Toolbox string `json:"toolbox"`
	// Summary is the first sentence of the tool's description, or the description of the toolbox.
	Summary string `json:"summary"`
}

// Found returns what a search found.
func Found(found domain.Findings) Findings {
	findings := Findings{Found: []Finding{}}
	for _, name := range found.Unlisted {
		findings.Unlisted = append(findings.Unlisted, string(name))
	}
	for _, tool := range found.Found {
		finding := Finding{Toolbox: string(tool.Server.Toolbox), Summary: tool.Description}
		if !tool.IsToolbox() {
			finding.Tool = tool.Server.Path() + "/" + tool.Tool.Shown
			finding.Summary = definitions.Summary(tool.Tool)
		}
		findings.Found = append(findings.Found, finding)
	}
	return findings
}

// Show prints the findings, as a table or as one JSON object, and on the screen which toolboxes have tools that
// are not known.
func (f Findings) Show(out, screen *terminal.Output, asJSON bool, paint terminal.Paint) error {
	if asJSON {
		return out.JSON(f)
	}
	table := terminal.Table{Headings: []string{"TOOL", "DESCRIPTION"}}
	for _, finding := range f.Found {
		name := finding.Tool
		if name == "" {
			name = finding.Toolbox + "/"
		}
		table.Rows = append(table.Rows, []string{name, finding.Summary})
	}
	if len(table.Rows) > 0 {
		if err := table.Print(out, out.Columns(), paint); err != nil {
			return err
		}
	} else {
		screen.Print("mcp-workbench: no tool was found")
	}
	if len(f.Unlisted) > 0 {
		screen.Print("mcp-workbench: tools that were never listed are not found: 'mcp-workbench list TOOLBOX' lists those of " +
			domain.LineText(strings.Join(f.Unlisted, ", ")))
	}
	return nil
}
