// Package sessions decides when the servers of one host are connected to, shared,
// restarted and stopped. Start reading at [Sessions]: use cases ask it for a
// [Connection] and make their requests over that.
//
// Each server has one serverState, and all of them are guarded by Sessions.mu. A
// Connection has parts with a lock of their own: its tool list, its lifetime and
// its idleness. Sessions.mu may be held while one of theirs is taken, never the
// other way round, and nothing blocks while any of them is held.
package sessions
