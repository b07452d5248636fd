package domain

import (
	"fmt"
	"net/url"
	"strconv"
)

// WorkbenchAsks is the first line of what the workbench itself asks a person. What a server
// asks begins with ServerAsks, so no server can ask in the name of the workbench.
const WorkbenchAsks = "MCP Workbench asks:"

// ServerAsks returns the line that begins what a server asks a person. Names are on one line:
// control characters, and what reorders or hides text, are shown as escapes.
func ServerAsks(server ServerID) string {
	return fmt.Sprintf("Server %s (toolbox %s) asks:", QuotedName(server.Server), QuotedName(server.Toolbox))
}

// PageAsked returns the line that says which host the page of an address is on that a
// server asks a person to open. Letters outside of ASCII, which may look like others, are
// shown as escapes.
func PageAsked(address string) string {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" {
		return "It asks to open an address that names no host."
	}
	return "It asks to open a page of " + strconv.QuoteToASCII(parsed.Host) + "."
}
