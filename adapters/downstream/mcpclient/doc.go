// Package mcpclient is the MCP client that all kinds of transports share: the
// handshake of both protocol eras, tool lists of many pages, and calls whose
// arguments and results stay in their own bytes. A transport provides a Link, and the
// package makes a ports.Session of it.
//
// Decision: the handshake is our own, on raw JSON: the client of mcp-go drops
// unknown members of what servers answer and refuses odd ones. Over a pipe
// initialize comes first, since some servers exit on anything else, and
// server/discover when the answer says that only 2026-07-28 is spoken. Over HTTP,
// where headers tell the version, server/discover comes first, as that version asks
// for, and initialize unless a clear yes comes within three seconds. The
// price: one more request to an older server.
//
// Decision: one timer for each stream watches all limits of its calls.
//
// Decision: each resource that is followed at a server of 2026-07-28 is a
// subscriptions/listen of its own. One request for all would have to be replaced
// whenever a resource is added, with updates twice or not at all meanwhile. A
// request that is not acknowledged is refused as older servers refuse it. A
// subscription that was cut begins again, and the host is notified of an update, since
// updates meanwhile were not reported. The price: over HTTP/1.1 a connection for
// each. Revisit if hosts follow hundreds.
package mcpclient
