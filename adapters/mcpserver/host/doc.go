// Package host is one host as servers and use cases see it: its capabilities, the requests that
// servers make to it, the calls that wait for its input, its subscriptions, and the log messages
// that it wants. Start with Host, which implements ports.Host and ports.ToolWatcher and has parts
// with a lock each:
//
//   - requests: requests of servers to a host with a handshake, until it answers
//   - calls: calls of a host of 2026-07-28, whose results ask it for input
//   - subscriptions, logRequests: requests of such a host for notifications and log messages
//   - accompanied: requests of a host with a handshake that have a connection of their own
//   - changes: changes to report after the answer that explains them
//
// Everything here belongs to one host; a second host is a second Host. Messages leave through the
// Connection given to Connect. No part holds its lock during a write that can wait or a call of
// another package.
package host
