// Package activity keeps a record of what happens between hosts and servers, which all workbenches of the
// user write and commands read: an Entry for each call, opening, start and end.
//
// An entry is a line of JSON. Lines are in files whose names are numbered, in a folder that only the user
// can change. The newest file grows until another one is begun, and the oldest is removed.
//
// Decision: an entry costs its call no system call and no goroutine. Lines wait in memory for at most a
// quarter of a second, and what a killed program had in memory is lost.
//
// Decision: above 1,000 calls a second, calls of a tool by a host with the same outcome share a line, which
// has their number. A line for each would cost a busy workbench 7 percent of its CPU time, and the calls of a
// second could push everything else out of the record.
//
// Decision: a program with many lines keeps the newest file and the lock open while lines follow, and looks at
// the whole folder once a second. A program that opens a file makes room for the whole of it, so that lines of that second
// cannot exceed the size of the record. On Windows, where an open file is in the way of others, no file stays open.
//
// Decision: writers hold a lock on a file while they write. Appending alone would keep lines whole on most
// systems, but not on every file server, and the size of the record would depend on how many programs begin
// a file at once. A program that is stopped while it holds the lock costs the others the entries of that
// time.
//
// Decision: numbers order the files, and the order within a file is that in which it was written. The clock
// may jump.
package activity
