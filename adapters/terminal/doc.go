// Package terminal communicates with the user at a terminal: lines, tables, optional
// colours, questions with yes or no, and lists to choose from with the arrow keys.
//
// [Console] owns the terminal of the process. It shows text from servers, files and hosts
// with escapes for all characters that control, reorder or hide text (domain.TerminalText).
// Only [Paint] adds colours, and only this package moves the cursor. While a question is
// open nothing else is written, and input that was typed before it was shown does not answer
// it.
//
// Decision: text for the user is also escaped in files and pipes, since build logs and
// pagers show it on terminals. Results and JSON for programs are written to them unchanged
// ([Output.Data]).
//
// Decision: the list is implemented here. It is the only form of the program, and a library for
// forms (charm.land/huh 2.0) brings 24 more modules.
package terminal
