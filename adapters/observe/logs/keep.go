package logs

import (
	"fmt"
	"time"

	"mcp-workbench/adapters/terminal"
)

// Keep copies everything that is written to the screen from now on to the log at an absolute path, after a line
// with the version of the program. With a path of "" there is no log. If the file cannot be used, the screen says why.
func Keep(path, version string, screen *terminal.Output) {
	if path == "" {
		return
	}
	file, err := Open(path)
	if err != nil {
		screen.Printf("mcp-workbench: there is no log file: %v\n", err)
		return
	}
	_, _ = fmt.Fprintf(file, "%s mcp-workbench %s starts\n", time.Now().Format(time.RFC3339), version) // no line that cannot be written is reported
	screen.CopyTo(file)
}
