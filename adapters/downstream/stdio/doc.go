// Package stdio runs servers that are programs on this machine and speak over their
// standard streams. It owns the process of a server: its environment, its process group
// and its pipes, and it ends the process with all its descendants. It never starts a
// shell.
//
// Decision: on Linux, the stdout of a server is a blocking pipe, read by a goroutine
// with a thread of its own: one system call per message instead of three. Elsewhere
// the runtime's poller reads it. For these threads the program gives the scheduler at
// least four processors.
//
// Decision: servers whose launchers may have to download the same package start one after
// the other. Package launcher reads the package from the command line; a server whose package
// it misreads only waits in another queue.
package stdio
