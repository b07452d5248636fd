package domain

import (
	"fmt"
	"net/url"
	"strconv"
)

// WorkbenchAsks is the first line of the workbench's own questions. Questions of servers begin with
// ServerAsks, so no server can ask in the name of the workbench.
const WorkbenchAsks = "MCP Workbench asks:"

// ServerAsks returns the first line of a server's question. Names are quoted by QuotedName.
func ServerAsks(server ServerID) string {
	return fmt.Sprintf("Server %s (toolbox %s) asks:", QuotedName(server.Server), QuotedName(server.Toolbox))
}

// PageAsked returns a line that names the host of an address that a server asks the user to open.
// Letters outside ASCII are shown as escapes, since they can look like other letters.
func PageAsked(address string) string {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" {
		return "It asks to open an address that names no host."
	}
	return "It asks to open a page of " + strconv.QuoteToASCII(parsed.Host) + "."
}
