package doctor

import (
	"encoding/json"
	"fmt"
	"io"

	"mcp-workbench/adapters/terminal"
)

// Print writes findings as text, in two lines each.
func Print(out io.Writer, findings []Finding, paint terminal.Paint) error {
	if len(findings) == 0 {
		_, err := fmt.Fprintln(out, paint(terminal.Green, "no problems found"))
		return err
	}
	for _, finding := range findings {
		about := finding.About
		if about != "" {
			about += ": "
		}
		if _, err := fmt.Fprintf(out, "%s %s%s\n     %s\n", paint(terminal.Yellow, finding.Code), about, finding.Found, finding.Fix); err != nil {
			return err
		}
	}
	return nil
}

// PrintJSON writes findings as one JSON object.
func PrintJSON(out io.Writer, findings []Finding) error {
	return json.NewEncoder(out).Encode(struct {
		Findings []Finding `json:"findings"`
	}{append([]Finding{}, findings...)})
}
