// Package mcpclient is the MCP client that all transports share: the handshake of both protocol eras,
// tool lists of many pages, and calls that pass arguments and results byte for byte. A transport
// provides a Link, from which Connect makes a ports.Session.
//
// Decision: the handshake is our own, on raw JSON: the client of mcp-go, whose names of MCP are used
// here, drops unknown members of answers and refuses odd ones. Over a pipe initialize comes first, since some servers exit on
// anything else, and server/discover follows when the answer says that the server speaks only
// 2026-07-28. Over HTTP, where headers carry the version, a server of both eras is spoken to in that of the host, since only
// versions with a handshake let it ask a host of them: initialize comes first for such a host, and otherwise
// server/discover, followed by initialize unless the server clearly agrees within three seconds. The price: one
// more request to a server of the other era. A server that hosts share cannot ask any of them, so its era is the newest.
//
// Decision: one timer for each stream watches all limits of its calls.
//
// Decision: each subscription to a resource of a server of 2026-07-28 is a subscriptions/listen of its
// own. A single one for all resources would have to be replaced whenever a resource is added, with
// updates lost or repeated meanwhile. A subscription that the server does not acknowledge fails as it
// would with an older server. A subscription that was cut is renewed, and the host is notified of an
// update, since updates meanwhile were not reported. The price: over HTTP/1.1, one connection for each
// subscription. Revisit if hosts subscribe to hundreds of resources.
package mcpclient
