// Package sharing gives all hosts of the process one session with a server that is shared. Start
// at Connector.Connect: it returns a member of the session, which is a ports.Session of its own,
// to each host. Policy of one host, such as when it connects, stays in application/sessions.
//
// What a server says goes to the member that it is for: answers and progress by the request,
// updates by subscription, the status of a task to who got its id, and list changes and log
// messages to all, since every host applies its own log level. What names nobody is dropped. The
// server is told that hosts can do nothing, and what it asks is answered with an error: nobody
// could tell which person or model it means. A question in the result of a call (2026-07-28) is
// that of the call, and goes back with it.
//
// Locks: session.mu, subscriptions.mu and levels.mu may be held while a member's is taken. Nothing blocks
// while one of them is held.
//
// Decision: each member has an inbox of its own. A host that reads slowly makes no other wait,
// for the price of one copy of what a shared server says.
//
// Decision: hosts that share a server lose it together. When one finds that it hangs, the
// session ends for all, since they would have to find out each.
package sharing
