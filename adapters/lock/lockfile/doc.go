// Package lockfile keeps the lock in a file beside the configuration, to be committed and reviewed:
// one tool per line, in the order of the configuration, with the approved definition and its SHA-256.
// It also reads the definitions of servers, because they are compared with those of the file in one form.
//
// Decision: a tool is pinned by its canonical JSON after RFC 8785, except where that would hide a
// difference: integers keep all their digits, and an object that repeats a name keeps its order.
// Every member that a server lists after toolFilters is pinned, because any of them can reach a
// model. The lock contains definitions beside their digests, so that people can read what changed,
// also in the diff of a commit. Each open_toolbox checks the file with one system call; without a
// lock, no hash is computed.
package lockfile
