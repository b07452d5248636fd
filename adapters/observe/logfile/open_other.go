//go:build !unix

package logfile

// openFlags is 0: the system has no flag that refuses a link.
const openFlags = 0
