// Package discovery finds tools by words, over what is known without starting a server: the tools of servers
// that are up, those that the lock holds, and those that servers listed last when their toolboxes were opened.
//
// Decision: what the lock holds counts before what was kept, since it was reviewed. Kept lists are files that
// other programs of the user can change. They are shown by the rules that hold for what servers list: the
// filter and the policy of the lock. Without a lock nothing that a server says was reviewed either.
//
// Decision: an index is made at the first search, and again when what is known has changed. Nothing is read
// and nothing is held before the first search.
package discovery
