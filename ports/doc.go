// Package ports holds the interfaces between the use cases and the world, and nothing
// else. Inbound adapters call inbound ports, which the application implements; the
// application calls outbound ports, which outbound adapters implement. The comment on a
// method is its contract: what the context bounds, ownership, whether it is safe for
// concurrent use, and which failures occur.
//
// Decision: calls are asynchronous. UseTool and CallTool return at once and pass the
// answer to a function. A goroutine for each call would cost a wake-up on every hop.
// The price: a function that runs on the reader's goroutine must not wait for the
// same server.
package ports
