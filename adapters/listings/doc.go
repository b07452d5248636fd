// Package listings keeps what servers listed last in files of the state folder, one for
// each server, configuration and kind of host.
//
// Decision: a file holds of each definition the members that the lock holds, in the
// server's bytes, and nothing else. What is shown of it is compared with the lock, so a
// file that somebody changed can show a model nothing that nobody approved. Titles, output
// schemas and a server's instructions are not in the lock, so they are not kept.
//
// Decision: a file belongs to settings, of which it has a salted digest. Values of "env",
// "headers" and "oauth", what a variable stands for, and the query and the login of an
// address are not part of it.
//
// Decision: nothing is fatal. A file that cannot be read is as good as none, and of what
// cannot be written there is one line in the log.
package listings
