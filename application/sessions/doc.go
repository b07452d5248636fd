// Package sessions decides when the servers of one host are connected to, shared,
// restarted and stopped. Start reading at [Sessions]: use cases ask it for a
// [Connection] and make their requests over that.
//
// Each server has one serverState and each toolbox one toolboxState, all guarded by
// Sessions.mu. Four parts of a Connection have a lock of their own: its tool list, the list's
// refresher, its lifetime and its idleness. Those locks may be taken while Sessions.mu is held,
// never the other way round, and nothing blocks while any of them is held.
//
// Four types handle the tools of a server: toolRules turn a listing into a toolSnapshot, which
// never changes; a toolList has the newest snapshot and the user's permissions; a toolRefresher
// decides when the tools are listed again; a listingKeeper keeps them for the next run.
//
// Decision: policy is here and mechanism is in the adapters, so that all transports
// have the same policy.
//
// Decision: a tool list is refreshed by the next call that needs it, not when the server
// reports a change: a thousand notifications cost one listing. In dynamic mode the
// host's list follows the server's, so it is refreshed at once: up to three times in a
// row, then at most once a second.
//
// Decision: only uptime clears the count of failures. A server that starts well and dies at
// once would otherwise be started for ever. After a minute of uptime a failure
// counts as the first, which costs no pause.
//
// Decision: a server that gets other settings while it answers calls is started a second
// time at its next use, and the first process ends after its last call. Waiting for that
// call would let a slow call delay others. If no call is under way, the first process is
// gone before the second starts.
//
// Decision: a server that is stopped as idle stays known: calls of tools that it does
// not have are still refused without starting it, and its resources are listed and read
// as if it were up. Idle servers are not stopped by default, since servers keep state
// in memory.
package sessions
