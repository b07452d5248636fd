// Package application holds the use cases, one small struct each, and the policy
// of sessions: when to connect, share, drop, restart and close. It reaches servers,
// hosts and files through ports. It knows the names of the protocol's methods, and
// makes a few small messages of its own, but reads and writes no connection.
//
// Decision: the policy of sessions is here and the mechanism in adapters, so that
// every transport gets the same policy.
//
// Decision: a toolbox is open once one of its servers was connected. Using a tool of
// a server that is down tries to connect it.
//
// Decision: a tool list is refreshed by the next call that needs it, not when the
// server reports a change: a thousand notifications cost one listing. In dynamic
// mode the host follows the list, so it is read at once: three times in a row, then
// at most once a second.
//
// Decision: the owner of a resource is remembered from results, only of servers that
// have resources and only when the bytes "uri" occur in them. Otherwise the
// connected servers are asked in turn.
//
// Decision: a filter that names a tool which does not exist is a warning on stderr,
// not an error: servers change their tools.
//
// Decision: only uptime makes up for failures. A server that starts well and dies at
// once would otherwise be started for ever. After a minute of uptime a failure
// counts as the first, which costs no pause.
//
// Decision: an idle server is stopped but stays known: calls of tools that it does
// not have are still refused without a process, and its resources are listed and
// read as if it were up. Off by default, since servers keep state in memory.
//
// Decision: the registry of tools is rebuilt, not patched. Patching needs every
// event, in order; rebuilding needs to know only that something changed. A thousand
// tools take a millisecond, and a call costs one lookup.
//
// Decision: a registered name stays with its tool while both exist, even when a tool
// comes that is earlier in the configuration: hosts keep approvals by name. Names
// that hosts refuse end with a hash of the exact names, so they never depend on what
// else is open.
//
// Decision: a server that died keeps its registered tools until it cannot be started
// again. A call is what starts it, so a tool that is taken away could not come back
// by being used.
//
// Decision: closing a toolbox waits for an opening under way instead of cutting it
// short, so that both answers say what became of the toolbox. It also ends servers
// of a toolbox that could not be opened.
package application
