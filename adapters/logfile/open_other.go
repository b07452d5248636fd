//go:build !unix

package logfile

// openFlags are none: the system has no flag that refuses a link.
const openFlags = 0
