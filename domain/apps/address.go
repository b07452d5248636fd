package apps

import (
	"strings"

	"mcp-workbench/domain"
)

// Address returns the address under which a host reads a page of a server: ui://TOOLBOX/SERVER/ and what
// follows ui:// in the server's own address. No two pages of different servers have the same one.
func Address(server domain.ServerID, own string) string {
	return scheme + server.URLPath() + "/" + strings.TrimPrefix(own, scheme)
}

// ReadAddress reverses Address: it returns the server, and the server's own address of the page. Ok is false
// for texts that Address does not return.
func ReadAddress(address string) (server domain.ServerID, own string, ok bool) {
	rest, isPage := strings.CutPrefix(address, scheme)
	server, own, ok = domain.CutURLPath(rest)
	return server, scheme + own, isPage && ok
}
