// Package trust knows which configurations of working folders the user trusts. It shows what a file would run, asks,
// and records the answer: for each path the SHA-256 of the bytes that the user saw, not the bytes, which can contain
// secrets. A file is trusted while the file and the lock beside it, which decides which packages run, are unchanged.
//
// Each record is a file with mode 0600 in a folder with mode 0700, so that programs can write at the
// same time. Records that others could have written do not count.
package trust
