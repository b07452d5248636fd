// Package host is one host as servers and use cases see it: what it can do, the
// requests that servers make to it, the calls that wait for its input, what it
// subscribed to, and which log messages it wants. Start with Host, which implements
// ports.Host and ports.ToolWatcher and is composed of parts with a lock each:
//
//   - requests: what servers asked a host with a handshake, until it answers
//   - inputRounds: calls that ask a host of 2026-07-28 for input by their results
//   - subscriptions: what a host of 2026-07-28 listens to
//   - logLevels: the log messages that the host or one of its requests wants
//   - listChanges: changes to report once the answer that explains them is written
//
// Everything here belongs to one host; a second host is a second Host. Messages
// leave through the Connection that Connect is given. No part holds its lock while
// it writes in a way that may wait, or calls into another package.
package host
