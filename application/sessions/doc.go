// Package sessions decides when the servers of one host are connected to, shared,
// restarted and stopped. Start reading at [Sessions]: use cases ask it for a
// [Connection] and make their requests over that.
//
// Each server has one serverState and each toolbox one toolboxState, all guarded by
// Sessions.mu. A Connection has parts with a lock of their own: its tool list, the refresher of
// that, its lifetime and its idleness. Sessions.mu may be held while one of theirs is taken,
// never the other way round, and nothing blocks while any of them is held.
//
// Four types share the tools of a server: toolRules turn what it lists into a toolSnapshot, which
// never changes; a toolList has the newest snapshot and what the user allowed; a toolRefresher
// decides when they are listed again; a listingKeeper keeps them for the next run.
//
// Decision: policy is here and mechanism in the adapters, so that every transport gets
// the same policy.
//
// Decision: a tool list is refreshed by the next call that needs it, not when the
// server reports a change: a thousand notifications cost one listing. In dynamic
// mode the host follows the list, so it is refreshed at once: three times in a row, then
// at most once a second.
//
// Decision: only uptime clears the count of failures. A server that starts well and dies at
// once would otherwise be started for ever. After a minute of uptime a failure
// counts as the first, which costs no pause.
//
// Decision: a server that gets other settings while it answers calls is started a second
// time at its next use, and the first one ends after its last call. To wait for that call
// would make a slow call delay others. A server without calls is gone before the next
// one starts.
//
// Decision: an idle server is stopped but stays known: calls of tools that it does
// not have are still refused without a process, and its resources are listed and
// read as if it were up. Off by default, since servers keep state in memory.
package sessions
