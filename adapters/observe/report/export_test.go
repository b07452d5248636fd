package report

import (
	"strings"
	"time"

	"mcp-workbench/adapters/observe/activity"
	"mcp-workbench/adapters/observe/status"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/domain"
)

// View returns the view for a screen with this number of columns.
func View(answers []status.Answer, now time.Time, columns int) string {
	return strings.Join(view(answers, now, columns), "\n")
}

// CallRow returns an entry as a screen with this number of columns shows it.
func CallRow(entry activity.Entry, columns int) string {
	return (&onScreen{columns: columns, paint: func(_ terminal.Colour, text string) string { return text }}).row(entry)
}

// Find returns the process id of the workbench that has a server, and the id of that server.
func Find(answers []status.Answer, name string, workbench int) (int, domain.ServerID, error) {
	found, id, err := find(answers, name, workbench)
	return found.PID, id, err
}
