// Package terminal talks with the person in front of a terminal: lines, colour where it
// is wanted, a question with yes or no, a list to choose from with the arrow keys.
//
// Decision: the list is our own. Libraries for forms spend half a millisecond in
// package initialisation, which every start of the server would pay.
package terminal
