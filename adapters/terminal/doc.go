// Package terminal talks with the person in front of a terminal: lines, colour where it
// is wanted, a question with yes or no, a list to choose from with the arrow keys.
//
// [Console] owns the terminal of the process. What servers, files and hosts say is shown
// through it with everything as an escape that controls, reorders or hides text
// (domain.TerminalText); only [Paint] makes colours, and only this package moves the
// cursor. While a question is open nothing else is written, and what was typed before it
// was shown does not answer it.
//
// Decision: what people read is escaped in files and pipes too, since logs of builds and
// pagers show it on terminals; results and JSON for programs are passed unchanged there
// ([Output.Data]).
//
// Decision: the list is our own. Libraries for forms spend half a millisecond in
// package initialisation, which every start of the server would pay.
package terminal
