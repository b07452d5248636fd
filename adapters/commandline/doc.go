// Package commandline has what the commands of the program share as words that people type: the
// checks of arguments and flags with sentences for what is wrong, the command completion, and the
// help topics.
//
// Decision: texts of the library for command lines are replaced where people read them, so that
// every failure says what to type next.
package commandline
