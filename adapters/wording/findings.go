package wording

import (
	"fmt"
	"slices"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

// maxFindingLine is the maximum length of a line of find_tool in characters, without its mark.
const maxFindingLine = 600

// Findings returns the answer of find_tool: a line for each tool and toolbox, the best first, and what to do with
// them. selects says that open_toolbox has the argument "tools".
func Findings(found domain.Findings, selects bool) string {
	var lines []string
	var warnings []string
	hasTool := false
	for _, finding := range found.Found {
		line := FindingLine(finding)
		lines = append(lines, line)
		if finding.IsToolbox() {
			continue
		}
		hasTool = true
		if characters := domain.SuspiciousCharacters(line); characters != nil {
			tool := domain.ToolIdentifier{Toolbox: finding.Server.Toolbox, Server: finding.Server.Server, Tool: finding.Tool.Name}
			warnings = append(warnings, fmt.Sprintf("Warning: the line of %s in %s has characters that hide or reorder text (%s).",
				toolOf(tool), serverOf(tool), strings.Join(characters, ", ")))
		}
	}
	switch {
	case hasTool && selects:
		lines = append(lines, domain.ToolUseTool+` calls a tool as it is; `+domain.ToolOpenToolbox+` with "tools" shows whole definitions.`)
	case hasTool:
		lines = append(lines, domain.ToolUseTool+` calls a tool as it is; `+domain.ToolOpenToolbox+` shows whole definitions.`)
	case len(lines) > 0:
		lines = append(lines, domain.ToolOpenToolbox+` shows the tools of a toolbox.`)
	default:
		lines = append(lines, "No tool was found. Other words may find one.")
	}
	return strings.Join(slices.Concat(lines, findingNotes(found), warnings), "\n")
}

// FindingLine returns a tool or a toolbox as one line, for a model or a terminal.
func FindingLine(finding domain.Finding) string {
	toolbox := configured(finding.Server.Toolbox)
	if !finding.IsToolbox() {
		line := shortened(toolbox+"/"+configured(finding.Server.Server)+"/"+definitions.Signature(finding.Tool, false), maxFindingLine)
		if finding.Deprecated && !strings.Contains(strings.ToLower(line), "deprecated") {
			line += deprecatedMark
		}
		return line
	}
	text := "toolbox " + toolbox
	if finding.Description != "" {
		text += " — " + configured(finding.Description)
	}
	return shortened(text+" (its tools are not all known until it is opened)", maxFindingLine)
}

// deprecatedMark ends the line of a tool whose definition says it only in what the line leaves out.
const deprecatedMark = " (deprecated)"

// configured returns a text of the configuration on one line.
func configured[Text ~string](text Text) string { return flat(domain.ShownText(string(text))) }
