// Package adjustment shows and calls tools as the configuration wants them: with another title or
// description, with arguments that are always the same, and without arguments that no model should
// set (tests/acceptance/CONTRACT.md section 2). It edits JSON text, so that whatever is not adjusted
// keeps its bytes. It does no I/O.
package adjustment
