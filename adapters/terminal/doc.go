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
// Decision: the list is implemented here. The list of a library for forms (charm.land/huh 2.0.3) has no
// key for the group of a line, filters only after "/", does not count what is chosen or out of sight, and
// wraps lines at 40 columns until its title is out of sight. With it come 23 modules and 0.4 ms of each start.
package terminal
