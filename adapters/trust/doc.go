// Package trust keeps which configurations of working folders the user trusts: for each path the
// SHA-256 of the bytes that the user saw, never the bytes, which may hold secrets. A file counts
// as long as it has these bytes at this path, and the lock beside it, which decides which
// packages run, has the bytes that it had then.
//
// A record is a file of its own, with mode 0600 in a folder with mode 0700, so that two programs
// that write at once lose nothing. Records that others could have written do not count.
package trust
