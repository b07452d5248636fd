// Package listings keeps the last list of tools of each server in the state folder, in a file for each
// server, configuration and kind of host.
//
// Decision: searches for tools (application/discovery) keep lists of their own beside those for lazy starts,
// without annotations, since no answer of a server is replaced by them.
//
// Decision: of each definition, a file contains the members that the lock contains, in the server's
// bytes, and nothing else. They are compared with the lock before they are shown, so a changed file
// can show a model nothing that was not approved. Titles, output schemas and instructions are not
// kept.
//
// Decision: a file belongs to the settings of a server, and has a salted digest of them. The values of
// "env", "headers", "oauth" and variables, the query and the login of an address, and "tools", which changes
// no definition of the server, are not part of the digest.
//
// Decision: no failure is fatal. A file that cannot be read counts as missing, and the first failure to
// write is logged.
package listings
