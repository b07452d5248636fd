package doctor

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"mcp-workbench/adapters/terminal"
)

// Examination holds the findings, and counts what was examined.
type Examination struct {
	Findings []Finding
	// Servers is the number of configured servers, and Started says whether they were started. Hosts is the
	// number of hosts that have a file.
	Servers, Hosts int
	// AtUse is the number of servers that the workbench starts at their first use.
	AtUse   int
	Started bool
}

// Print writes the report as text: two lines for each cause, or what was examined.
func (e Examination) Print(out io.Writer, paint terminal.Paint) error {
	if len(e.Findings) == 0 {
		_, err := fmt.Fprintln(out, paint(terminal.Green, "no problems found")+e.examined())
		return err
	}
	for _, finding := range causes(e.Findings) {
		about := strings.Join(append([]string{finding.About}, finding.Also...), ", ")
		switch {
		case strings.HasPrefix(finding.Found, about+":"): // its place begins with the same file
			about = ""
		case about != "":
			about += ": "
		}
		if _, err := fmt.Fprintf(out, "%s %s%s\n     %s\n", paint(terminal.Yellow, finding.Code), about, finding.Found, finding.Fix); err != nil {
			return err
		}
	}
	return nil
}

// examined says what was examined: " (6 servers, 4 hosts checked)".
func (e Examination) examined() string {
	count := func(count int, what string) string {
		if count != 1 {
			what += "s"
		}
		return fmt.Sprintf("%d %s", count, what)
	}
	servers := count(e.Servers, "server")
	if !e.Started {
		servers += " not started"
	}
	switch {
	case e.AtUse == 1:
		servers += " (1 starts at its first use)"
	case e.AtUse > 0:
		servers += fmt.Sprintf(" (%d start at their first use)", e.AtUse)
	}
	return fmt.Sprintf(" (%s, %s checked)", servers, count(e.Hosts, "host"))
}

// Show prints the report, as text in a colour mode of terminal.NewPaint or as one JSON object.
func (e Examination) Show(out *terminal.Output, asJSON bool, colour string) error {
	if asJSON {
		return e.PrintJSON(out.Data())
	}
	out.WrapLines()
	return e.Print(out, terminal.NewPaint(out, colour))
}

// PrintJSON writes the findings as one JSON object.
func (e Examination) PrintJSON(out io.Writer) error {
	return json.NewEncoder(out).Encode(struct {
		Findings []cause `json:"findings"`
	}{causes(e.Findings)})
}
