// Package terminal talks to the user at a terminal: lines, tables, colours if wanted,
// questions with yes or no, and lists to choose from with the arrow keys.
//
// [Console] owns the terminal of the process. It shows text of servers, files and hosts with
// escapes for everything that controls, reorders or hides text (domain.TerminalText). Only
// [Paint] makes colours, and only this package moves the cursor. While a question is open
// nothing else is written, and input typed before it was shown does not answer it.
//
// Decision: text for people is escaped in files and pipes too, since logs of builds and
// pagers show it on terminals. Results and JSON for programs are written unchanged there
// ([Output.Data]).
//
// Decision: the list is our own. Libraries for forms need half a millisecond of package
// initialisation at every start of the server.
package terminal
