package shell

import (
	"encoding/json"
	"fmt"
	"strings"

	"mcp-workbench/ports"
)

// Progress returns what shows the progress of a call as a bar on the screen, after
// the name of what is called.
func Progress(screen StatusLines, name string) func(ports.Progress) {
	return func(said ports.Progress) {
		// The token is of no use here; any value in its place makes the parameters whole.
		params := append(append(append([]byte{}, said.Before...), '0'), said.After...)
		var progress struct {
			Progress float64  `json:"progress"`
			Total    *float64 `json:"total"`
			Message  string   `json:"message"`
		}
		if json.Unmarshal(params, &progress) != nil {
			return
		}
		line := fmt.Sprintf("%s  %g", name, progress.Progress)
		if progress.Total != nil && *progress.Total > 0 {
			line = fmt.Sprintf("%s  %s %g/%g", name, bar(progress.Progress/(*progress.Total)), progress.Progress, *progress.Total)
		}
		screen.Show(strings.TrimSpace(line + "  " + progress.Message))
	}
}

// bar draws a part of a whole.
func bar(part float64) string {
	const length = 20
	filled := int(min(max(part, 0), 1) * length)
	return "[" + strings.Repeat("#", filled) + strings.Repeat("-", length-filled) + "]"
}
