// Package lockfile keeps the lock in a file beside the configuration, made to be
// committed and reviewed: one tool a line, in the order of the configuration, with
// the definition that was approved and its SHA-256. It also reads definitions, since
// what they say and what the file holds have one form.
package lockfile
