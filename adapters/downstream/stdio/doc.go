// Package stdio reaches servers that are programs of this machine and speak over
// their standard streams. It owns the process of a server: its environment, its
// process group and its pipes, and it ends the process with all its descendants.
// It never starts a shell.
//
// Decision: on Linux, the stdout of a server is a blocking pipe, read by a goroutine
// with a thread of its own: one system call a message instead of three. Elsewhere
// the runtime's poller reads it. This is why the program sees to at least four
// processors for the scheduler.
//
// Decision: servers of one package that a launcher may have to download wait for
// each other. Launcher and package are read from the arguments by a table of
// options. An option that is not in the table counts as one without a value; a
// package that is misread is only queued under another name.
package stdio
