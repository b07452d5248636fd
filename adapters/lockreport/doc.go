// Package lockreport prints the result of the command lock, as text and as JSON: the differences from
// the lock, and what opening each toolbox costs a model.
package lockreport
