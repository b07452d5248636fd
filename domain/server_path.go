package domain

import (
	"net/url"
	"strings"
)

// URLPath returns "TOOLBOX/SERVER", with the names escaped as segments of a URL.
func (id ServerID) URLPath() string {
	return url.PathEscape(string(id.Toolbox)) + "/" + url.PathEscape(string(id.Server))
}

// CutURLPath splits a text that begins with the result of URLPath and a slash. It returns the server and what follows
// the slash. Ok is false if the text does not begin that way, or if nothing follows.
func CutURLPath(text string) (id ServerID, rest string, ok bool) {
	parts := strings.SplitN(text, "/", 3)
	if len(parts) < 3 || parts[2] == "" {
		return ServerID{}, "", false
	}
	toolbox, toolboxErr := url.PathUnescape(parts[0])
	server, serverErr := url.PathUnescape(parts[1])
	if toolboxErr != nil || serverErr != nil {
		return ServerID{}, "", false
	}
	return ServerID{Toolbox: ToolboxName(toolbox), Server: ServerName(server)}, parts[2], true
}
