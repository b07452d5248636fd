// Package status lets the programs of one user ask each running workbench what it is doing: which hosts it
// serves, which servers run for them, and their state.
//
// A workbench listens on a Unix socket, also on Windows, in a folder that only its user can enter. It answers only
// processes that belong to this user, according to the system. A question is a line of JSON, an answer one or more
// lines.
//
// Decision: there is a socket for each workbench and no registry. A socket in the folder belongs to a running
// workbench. If nothing listens at it, its workbench was killed, and the next command that finds it removes it.
package status
