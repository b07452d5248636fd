// Package streamablehttp connects to servers over MCP's streamable HTTP, in both protocol eras: each
// message is a POST, and its answer is a JSON object or a stream of events. The package keeps the
// session that the server assigns, listens to the server between calls, resumes streams where the
// version supports that, and never repeats a call that may have run. Package web logs in (OAuth).
//
// Decision: the client is our own, over net/http; the names of headers and their encoding are those
// of mcp-go. Its HTTP transports decode every answer (error.data and notifications lose numbers), do not bound
// messages, do not report a cancellation to older servers, keep a session after a 400, and leave calls
// pending when a stream breaks. The price: streams and resumption are ours. Revisit if that package is
// split and works on raw messages.
//
// Decision: a call that is refused with HeaderMismatch is repeated once after the tools were listed
// again (2026-07-28, transports, a SHOULD). The link lists them itself, since it owns the headers,
// and reports that they changed.
//
// Decision: after a connection was lost in the middle of a request, the link sends a ping. If the
// server cannot be reached, every pending request fails; if it answers, its session continues.
package streamablehttp
