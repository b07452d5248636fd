// Package discovery finds tools by words without starting servers. It searches the tools of servers that are
// up, those that the lock holds, and those that servers listed last when their toolboxes were opened.
//
// Decision: the lock takes precedence over kept lists, since it was reviewed. Kept lists are files that other
// programs of the user can change. They are shown under the same rules as the lists of servers: the filter
// and the policy of the lock. Without a lock, the lists of servers were not reviewed either.
//
// Decision: an index is made at the first search, and again when the known tools have changed. Before the
// first search nothing is read or kept in memory.
package discovery
