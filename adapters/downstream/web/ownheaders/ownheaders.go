// Package ownheaders has the headers of requests to servers that the protocol and the connection set, so that
// neither a configuration nor the file of a host can.
package ownheaders

import (
	"net/textproto"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
)

// Contains reports whether a header is one of them. Case does not matter.
func Contains(name string) bool {
	return slices.Contains(names, textproto.CanonicalMIMEHeaderKey(name))
}

// names are in the form of textproto.CanonicalMIMEHeaderKey.
var names = []string{
	"Accept", "Accept-Encoding", "Connection", "Content-Length", "Content-Type", "Te", "Trailer", "Transfer-Encoding", "Upgrade",
	textproto.CanonicalMIMEHeaderKey(mcp.HeaderLastEventID), mcp.HeaderMethod, mcp.HeaderName, mcp.HeaderProtocolVersion, mcp.HeaderSessionID,
}
