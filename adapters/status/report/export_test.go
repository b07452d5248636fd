package report

import (
	"strings"
	"time"

	"mcp-workbench/adapters/status"
	"mcp-workbench/domain"
)

// View returns what a screen of that many columns shows.
func View(answers []status.Answer, now time.Time, columns int) string {
	return strings.Join(view(answers, now, columns), "\n")
}

// Find returns the number of the workbench that has a server, and its name.
func Find(answers []status.Answer, name string, workbench int) (int, domain.ServerID, error) {
	found, id, err := find(answers, name, workbench)
	return found.PID, id, err
}
