// Package sharing gives all hosts of the process one session with a shared server. Start reading
// at Connector.Connect: it returns to each host a member of the session, which is a
// ports.Session of its own. Policy for a single host, such as when it connects, stays in
// application/sessions.
//
// Each message of a server goes to the members that it is for: answers and progress to the member
// that made the request, updates to subscribers, the status of a task to the member that got its
// id, list changes and log messages to all, since every host applies its own log level. Other
// notifications are dropped. The server is told that the host has no capabilities, and its
// requests are answered with an error, since they do not tell which user or model they are for. A
// request for input in the result of a call (2026-07-28) belongs to the call, and goes back with
// it.
//
// Locks: a member's mu may be taken while session.mu, subscriptions.mu or levels.mu is held. Nothing
// blocks while one of them is held.
//
// Decision: each member has an inbox of its own. A host that reads slowly does not delay
// others, at the price of one copy of each message of a shared server. It holds a MiB of messages besides
// answers; of notices about one list, resource or task it holds the newest. Beyond that the server waits a second, then
// the host misses log messages, progress and the oldest notices. Updates that it misses become one list change.
//
// Decision: a shared server is spoken to in 2026-07-28 if it can, whatever its hosts speak. Only there its questions belong
// to a call, so that the host of that call is asked; in the versions before, none could be.
//
// Decision: list changes have no parameters. They could only have _meta, which belongs to the session with the server.
//
// Decision: the members share one copy of the tools that the server listed last. If the server reports changes
// of its tools, members get that copy for up to a minute without asking the server.
//
// Decision: hosts that share a server lose it together. When one host finds that it
// hangs, the session ends for all, since otherwise each host would have to find out.
package sharing
