package doctor

import (
	"fmt"
	"strings"

	"mcp-workbench/adapters/terminal"
	"mcp-workbench/domain"
)

// Examination holds the findings, and counts what was examined.
type Examination struct {
	Findings []Finding
	// Servers is the number of configured servers, and Started says whether they were started. Hosts is the
	// number of hosts that have a file.
	Servers, Hosts int
	// IsConnected says that a host has the workbench with this configuration, or skills of its toolboxes.
	IsConnected bool
	// AtUse is the number of servers that the workbench starts at their first use.
	AtUse   int
	Started bool
}

// Show prints the report, as text in a colour mode of terminal.NewPaint or as one JSON object. The text has two lines for
// each cause, or says what was examined.
func (e Examination) Show(out *terminal.Output, asJSON bool, colour string) error {
	if asJSON {
		return out.JSON(map[string]any{"findings": causes(e.Findings)})
	}
	out.WrapLines()
	paint := terminal.NewPaint(out, colour)
	if len(e.Findings) == 0 {
		return out.Lines(paint(terminal.Green, "no problems found") + e.examinedText())
	}
	var lines []string
	for _, finding := range causes(e.Findings) {
		about := strings.Join(append([]string{finding.About}, finding.Also...), ", ")
		switch {
		case strings.HasPrefix(finding.Found, about+":"): // its place begins with the same file
			about = ""
		case about != "":
			about += ": "
		}
		lines = append(lines, paint(terminal.Yellow, finding.Code)+" "+about+finding.Found, "     "+finding.Fix)
	}
	return out.Lines(lines...)
}

// examinedText says what was examined: " (6 servers, 4 hosts checked)".
func (e Examination) examinedText() string {
	servers := domain.Counted(e.Servers, "server")
	if !e.Started {
		servers += " not started"
	}
	switch {
	case e.AtUse == 1:
		servers += " (1 starts at its first use)"
	case e.AtUse > 0:
		servers += fmt.Sprintf(" (%d start at their first use)", e.AtUse)
	}
	text := fmt.Sprintf(" (%s, %s checked)", servers, domain.Counted(e.Hosts, "host"))
	if !e.IsConnected {
		text += "; no host has the workbench: 'mcp-workbench connect HOST' adds it to one"
	}
	return text
}
