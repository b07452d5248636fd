// Package lockreport performs the last steps of the command lock: it writes the lock, and prints, as text or as
// JSON, the differences from the lock and the cost of opening each toolbox in tokens of a model.
package lockreport
