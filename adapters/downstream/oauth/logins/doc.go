// Package logins stores the user's logins at remote servers: one file for each login, in a folder of
// the user's state that all copies of the workbench on the machine share. It knows files and locks,
// and neither HTTP nor MCP.
//
// The holder of a login's lock replaces the file as a whole, so readers need no lock. The lock is that
// of the operating system on a file beside the login, so it ends with the process that holds it.
//
// Decision: before a refresh token is sent, its digest is written to the file. Many authorization
// servers accept a refresh token once and treat a second use as theft. A process that was killed
// between sending and writing leaves the note, so the next one knows that the token may be used up: it
// sends the token once more, which some servers allow, and otherwise ends the login. Only a refusal by
// the server, or a second kill, ends a login: a server that does not answer is asked again. The price
// is a second write for each refresh.
//
// Decision: tokens are in files that only the user can read, not in a keyring. Keyrings hold 2560
// bytes on Windows and about 3000 on macOS, less than many tokens need, and there is none over ssh or
// in a container.
package logins
