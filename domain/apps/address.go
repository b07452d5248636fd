package apps

import (
	"net/url"
	"strings"

	"mcp-workbench/domain"
)

// Address returns the address under which a host reads a page of a server: ui://TOOLBOX/SERVER/ and what
// follows ui:// in the server's own address. No two pages of different servers have the same one.
func Address(server domain.ServerID, own string) string {
	return scheme + url.PathEscape(string(server.Toolbox)) + "/" + url.PathEscape(string(server.Server)) + "/" +
		strings.TrimPrefix(own, scheme)
}

// ReadAddress returns the server and its own address of a page with an address that Address returns. Ok is
// false for other texts.
func ReadAddress(address string) (server domain.ServerID, own string, ok bool) {
	rest, ok := strings.CutPrefix(address, scheme)
	parts := strings.SplitN(rest, "/", 3)
	if !ok || len(parts) < 3 {
		return domain.ServerID{}, "", false
	}
	toolbox, toolboxErr := url.PathUnescape(parts[0])
	name, nameErr := url.PathUnescape(parts[1])
	if toolboxErr != nil || nameErr != nil || parts[2] == "" {
		return domain.ServerID{}, "", false
	}
	return domain.ServerID{Toolbox: domain.ToolboxName(toolbox), Server: domain.ServerName(name)}, scheme + parts[2], true
}
