// Package httpserver is HTTP towards hosts: streamable HTTP of both protocol eras at one
// path, for many hosts at once (2025-11-25, basic/transports; 2026-07-28,
// basic/transports/streamable-http). Start with Handler.ServeHTTP; post.go handles a
// message, inbox.go reads it, respond.go sends what comes of it. What requests may do was decided before, by
// what writes an access.Access into their contexts.
//
// Each host is a session with a workbench of its own, which the function given to New
// makes. A host with a handshake is told the id of its session. Hosts of 2026-07-28 have
// none: what has the same identity, the same client name and the same capabilities counts
// as one host.
//
// What belongs to a request leaves on the stream of that request, what belongs to none on
// the stream that a host with a handshake opens for it. A stream is cut without a message
// being lost: it keeps what a host may ask for again. Since 2026-07-28 nothing is kept, and
// a stream that is cut is how a host cancels.
//
// Decision: an answer before which nothing is to be said is one JSON object. A request
// that takes longer than a proxy is patient becomes a stream.
//
// Decision: the goroutine that reads the output of a server waits for no host for long, nor
// does the end of a session. A stream whose host is behind drops what the host did not read
// of it, the oldest first, and never the answer.
//
// Decision: what many hosts make grow together has one bound for the process: bodies that
// are arriving and requests under way (inbox.go), messages for hosts that come again (kept.go),
// what is being sent (sends.go).
//
// Decision: a stream that a host keeps open leaves its handler and has the connection to
// itself. net/http holds buffers, the request and a deep stack for as long as a handler runs,
// which was more than half of the memory of an idle host.
//
// Decision: the server of mcp-go is not used: it decodes what must keep its bytes, bounds
// no body and costs 5 ms at every start. It is the oracle of specs for status codes.
package httpserver
