package shell

import (
	"fmt"
	"strings"

	"mcp-workbench/adapters/terminal"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

// Findings is the output of list --find. Its JSON is stable: members are added, never changed.
type Findings struct {
	// Found are tools and toolboxes, the best first.
	Found []Finding `json:"found"`
	// Absent are the words that no tool has.
	Absent []AbsentWord `json:"absent,omitempty"`
	// More are further tools that match on one server.
	More *MoreTools `json:"more,omitempty"`
	// NotSearched are the servers whose tools are not known.
	NotSearched []UnsearchedServer `json:"notSearched,omitempty"`
	// Cut says that only the beginning of the search was read.
	Cut bool `json:"cut,omitempty"`

	absent []domain.AbsentWord
}

// Finding is a tool, or a toolbox with tools that are not known.
type Finding struct {
	// Tool is TOOLBOX/SERVER/TOOL, "" for a toolbox.
	Tool    string `json:"tool,omitempty"`
	Toolbox string `json:"toolbox"`
	// Summary is the first sentence of the tool's description, or the description of the toolbox.
	Summary    string `json:"summary"`
	Deprecated bool   `json:"deprecated,omitempty"`
}

// AbsentWord is a word that no tool has, and the words that were looked for in its place.
type AbsentWord struct {
	Word string   `json:"word"`
	Near []string `json:"near,omitempty"`
}

// MoreTools is a number of tools of a server, TOOLBOX/SERVER.
type MoreTools struct {
	Server string `json:"server"`
	Tools  int    `json:"tools"`
}

// UnsearchedServer is a server, TOOLBOX/SERVER, why it was not searched, and the command that helps.
type UnsearchedServer struct {
	Server string `json:"server"`
	Why    string `json:"why"`
	Fix    string `json:"fix"`
}

// Found returns what a search found.
func Found(found domain.Findings) Findings {
	findings := Findings{Found: []Finding{}, Cut: found.Cut, absent: found.Absent}
	for _, word := range found.Absent {
		findings.Absent = append(findings.Absent, AbsentWord(word))
	}
	if found.More.Count > 0 {
		findings.More = &MoreTools{found.More.Server.Path(), found.More.Count}
	}
	for _, server := range found.NotSearched {
		fix := "list"
		if server.Why == domain.UnsearchedDisabled {
			fix = "enable"
		}
		path := server.Server.Path()
		findings.NotSearched = append(findings.NotSearched, UnsearchedServer{path, string(server.Why), "mcp-workbench " + fix + " " + domain.ShellWord(path)})
	}
	for _, tool := range found.Found {
		finding := Finding{Toolbox: string(tool.Server.Toolbox), Summary: tool.Description, Deprecated: tool.Deprecated}
		if !tool.IsToolbox() {
			finding.Tool = tool.Server.Path() + "/" + tool.Tool.Shown
			finding.Summary = definitions.Summary(tool.Tool)
		}
		findings.Found = append(findings.Found, finding)
	}
	return findings
}

// Bounds of what is printed beside the table.
const (
	maxAbsentLine = 400 // bytes
	maxUnsearched = 20  // lines
)

// Show prints the findings, as a table or as one JSON object, and on the screen what was not found or not searched.
func (f Findings) Show(out, screen *terminal.Output, asJSON bool, paint terminal.Paint) error {
	if asJSON {
		return out.JSON(f)
	}
	table := terminal.Table{Headings: []string{"TOOL", "DESCRIPTION"}}
	for _, finding := range f.Found {
		name, summary := finding.Tool, finding.Summary
		if name == "" {
			name = finding.Toolbox + "/"
		}
		if finding.Deprecated {
			summary = "(deprecated) " + summary // in front, since tables cut
		}
		table.Rows = append(table.Rows, []string{name, summary})
	}
	if len(table.Rows) > 0 {
		if err := table.Print(out, out.Columns(), paint); err != nil {
			return err
		}
	} else {
		screen.Print("mcp-workbench: no tool was found")
	}
	for _, line := range f.notes() {
		screen.Print("mcp-workbench: " + line)
	}
	return nil
}

// notes returns what was not found or not searched, a line each.
func (f Findings) notes() (lines []string) {
	if text := wording.AbsentWords(f.absent, maxAbsentLine); text != "" {
		lines = append(lines, "no"+strings.TrimSuffix(strings.TrimPrefix(text, "No"), "."))
	}
	if f.Cut {
		lines = append(lines, "only the first 64 words were looked for")
	}
	if f.More != nil {
		lines = append(lines, fmt.Sprintf("%d more tools of %s match: 'mcp-workbench list %[2]s' shows them", f.More.Tools, domain.LineText(f.More.Server)))
	}
	for _, server := range f.NotSearched[:min(len(f.NotSearched), maxUnsearched)] {
		line := "not searched: " + domain.LineText(server.Server)
		if server.Why == string(domain.UnsearchedDisabled) {
			line += ", which is disabled"
		}
		lines = append(lines, line+" ('"+domain.LineText(server.Fix)+"')")
	}
	if more := len(f.NotSearched) - maxUnsearched; more > 0 {
		lines = append(lines, fmt.Sprintf("not searched: %d more servers", more))
	}
	return lines
}
