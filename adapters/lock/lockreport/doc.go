// Package lockreport performs the last steps of the command lock: it writes the lock, and prints the
// differences from it as text or as JSON.
package lockreport
