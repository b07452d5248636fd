// Package listings keeps what each server listed last in the state folder, in a file for each server, configuration,
// folder that the server runs in, and kind of host.
//
// Decision: searches for tools (application.KeepOpened) keep lists of their own beside those for lazy starts.
// They have no annotations, since they never replace an answer of a server.
//
// Decision: a file has whole definitions, in the server's bytes, and instructions. With a lock in force they are
// compared with it before they are shown, and only what is in the lock is shown, so a changed file cannot show a model
// anything that was not approved. Without a lock, a file that others can write is not used, and no tool is called
// before the server's own list is known.
//
// Decision: a file belongs to the settings of a server, and has a salted digest of them. The values of
// "env", "headers", "oauth" and variables, the query and the login of an address, and "tools", which does
// not change the server's definitions, are not part of the digest: they may be secret. A server that lists other tools
// with another value is shown with the wrong list until it is up, and none of its tools is called as it was shown.
//
// Decision: no failure is fatal. A file that cannot be read counts as missing, one of another version too, and the
// first failure to write is logged.
package listings
