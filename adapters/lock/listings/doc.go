// Package listings keeps the last list of tools of each server in the state folder, in a file for each
// server, configuration and kind of host.
//
// Decision: searches for tools (application/discovery) keep lists of their own beside those for lazy starts.
// They have no annotations, since they never replace an answer of a server.
//
// Decision: a file contains only those members of each definition that the lock contains, in the server's
// bytes. They are compared with the lock before they are shown, so a changed file cannot show a model
// anything that was not approved. Titles, output schemas and instructions are not kept.
//
// Decision: a file belongs to the settings of a server, and has a salted digest of them. The values of
// "env", "headers", "oauth" and variables, the query and the login of an address, and "tools", which does
// not change the server's definitions, are not part of the digest.
//
// Decision: no failure is fatal. A file that cannot be read counts as missing, and the first failure to
// write is logged.
package listings
