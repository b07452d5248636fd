// Package lockreport concludes the command lock: it has the lock written, and prints, as text and as JSON,
// the differences from the lock, and what opening each toolbox costs a model.
package lockreport
