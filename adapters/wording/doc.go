// Package wording turns values of the domain into what a model reads: the
// definitions of the workbench's own tools, the answer of open_toolbox, the pages
// of tools/list, and the text of every failure and warning. Start with
// NewOpenAnswer, OwnTools and UseToolFailure. All functions are pure and safe for
// concurrent use; nothing here waits, reads or writes.
//
// The texts in the tables of tests/acceptance/CONTRACT.md sections 4, 5 and 8 are exact. Definitions
// stay in the server's own bytes but for what tests/acceptance/CONTRACT.md section 4 takes out of
// names and descriptions.
package wording
