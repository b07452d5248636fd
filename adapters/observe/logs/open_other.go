//go:build !unix

package logs

// openFlags is 0: the system has no flag that refuses a link.
const openFlags = 0
