package shell

import (
	"encoding/json"
	"fmt"
	"strings"

	"mcp-workbench/ports"
)

// Progress returns a function that shows the progress of a call as a bar on the screen, after a name.
func Progress(screen StatusLines, name string) func(ports.Progress) {
	return func(update ports.Progress) {
		// Any value in place of the token completes the parameters.
		params := append(append(append([]byte{}, update.Before...), '0'), update.After...)
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

// bar draws a fraction.
func bar(part float64) string {
	const length = 20
	filled := int(min(max(part, 0), 1) * length)
	return "[" + strings.Repeat("#", filled) + strings.Repeat("-", length-filled) + "]"
}
