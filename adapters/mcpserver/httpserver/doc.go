// Package httpserver serves hosts over HTTP: streamable HTTP of both protocol eras at one path,
// for many hosts at the same time (2025-11-25, basic/transports; 2026-07-28,
// basic/transports/streamable-http). Start with Handler.ServeHTTP; post.go handles a message,
// inbox.go reads it, and respond.go sends its reply (reply.go). What a caller can do has been
// decided before, and is in the callers.Access of the request's context.
//
// Each host is a session with a workbench of its own, which the function passed to New makes. A
// host with a handshake is told the id of its session. Hosts of 2026-07-28 have no session:
// programs with the same identity, client name and capabilities count as one host.
//
// Messages that belong to a request are sent on the stream of that request, all others on
// the stream that a host with a handshake opens with GET. A cut stream loses no message: it
// keeps what a host can ask for again. Since 2026-07-28 it keeps nothing, and a host cancels a
// request by cutting its stream.
//
// Decision: an answer without messages before it is one JSON object. A request that takes
// longer than proxies wait becomes a stream.
//
// Decision: the goroutine that reads the output of a server never waits long for a host, and
// neither does the end of a session. A stream whose host is behind drops messages that the host
// did not read, the oldest first, and never the answer.
//
// Decision: what grows with the number of hosts has one bound for the process: bodies that
// are arriving and requests under way (inbox.go), messages for hosts that come back (kept.go),
// and messages that are being sent (sends.go).
//
// Decision: the server of mcp-go is not used: it decodes what must keep its bytes, and bounds
// no body. Its names of headers are used.
package httpserver
