// Package status lets the programs of one user ask each running workbench what it is doing: which hosts it
// serves, which servers run for them, and their state.
//
// A workbench listens on a Unix socket, also on Windows, in a folder that only its user can enter, and
// answers who the system says is that user. A question is a line of JSON, an answer one or more.
//
// Decision: a socket for each workbench and no registry. A file in the folder is a workbench that runs; a file that nothing
// listens at is of a workbench that was killed, and is removed by the next command that finds it.
//
// Decision: an answer is used for other questions twenty times as long as it took to make, so that any
// number of questions takes a twentieth of one processor.
package status
