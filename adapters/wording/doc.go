// Package wording turns values of the domain into texts for models and users: the definitions of the
// workbench's own tools, the answer of open_toolbox, the pages of tools/list, the question before a
// call, and the text of every failure, warning and reason. The domain and policy hand over values;
// errors of the domain state only the facts, for the log, and this package adds what to do next.
// Start with NewOpenAnswer, OwnTools, UseToolFailure and Reason. All functions are pure and safe for
// concurrent use; nothing here waits, reads or writes.
//
// The texts in the tables of tests/acceptance/CONTRACT.md sections 4, 5 and 8 are exact. Definitions
// keep the server's own bytes, except for what tests/acceptance/CONTRACT.md section 4 removes from
// names and descriptions.
package wording
