// Package sharing gives all hosts of the process one session with a server that is shared. Start
// at Connector.Connect: it returns a member of the session, which is a ports.Session of its own,
// to each host. Policy of one host, such as when it connects, stays in application/sessions.
//
// Each message of a server goes to the members that it is for: answers and progress by the
// request, updates by subscription, the status of a task to the member that got its id, list
// changes and log messages to all, since every host applies its own log level. Other notifications
// are dropped. The server is told that the host can do nothing, and its requests are answered with
// an error, since they do not tell which person or model they are for. A question in the result of
// a call (2026-07-28) belongs to the call, and goes back with it.
//
// Locks: session.mu, subscriptions.mu and levels.mu may be held while a member's is taken. Nothing blocks
// while one of them is held.
//
// Decision: each member has an inbox of its own. A host that reads slowly delays no other,
// at the price of one copy of each message of a shared server.
//
// Decision: the members hold one copy of the tools that the server listed last. While the server would report a
// change of them, at most for a minute, a member that lists them does not ask the server.
//
// Decision: hosts that share a server lose it together. When one finds that it hangs, the
// session ends for all, since otherwise each would have to find out.
package sharing
