// Package activity keeps a record of what happens between hosts and servers: an Entry for each call, opening,
// start and end. All workbenches of the user write it, and commands read it.
//
// An entry is a line of JSON. The lines are in files with numbered names, in a folder that only the user can
// change. Lines are appended to the newest file until another one is begun; the oldest files are removed.
//
// Decision: recording a call takes no system call and no goroutine. Lines wait in memory for at most a
// quarter of a second; a program that is killed loses the lines in its memory.
//
// Decision: above 1,000 calls a second, a host's calls of the same tool with the same outcome share a line,
// which has their number. Otherwise the calls of a second could push everything else out of the record.
//
// Decision: writers hold a lock on a file while they write. Appending alone would keep lines whole on most
// systems, but not on every file server, and the size of the record would depend on how many programs begin
// a file simultaneously. While a program is stopped and holds the lock, the others lose their entries.
//
// Decision: files are ordered by their numbers and entries by their position, not by time, since the clock may
// jump.
package activity
