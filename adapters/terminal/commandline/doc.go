// Package commandline has the parts of a command line that all commands share: checks of
// arguments and flags with readable errors, and the help topics, whose Markdown it shows
// whole or by section, in the pager of the user.
//
// Decision: the library's texts are replaced where users read them, so that every error says what
// to type next.
package commandline
