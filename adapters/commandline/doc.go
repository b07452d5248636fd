// Package commandline has the parts of a command line that all commands share: the checks of
// arguments and flags, with sentences about what is wrong, the command completion, and the help
// topics.
//
// Decision: texts of the library for command lines are replaced where people read them, so that
// every failure says what to type next.
package commandline
