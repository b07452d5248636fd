// Package lockreport does the last steps of the command lock: it writes the lock, and prints, as text and as JSON,
// the differences from the lock, and what opening each toolbox costs a model.
package lockreport
