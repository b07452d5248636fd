// Package logins keeps what a person's logins at remote servers are made of: one file
// for each login, in a folder of the user's state, which all copies of the workbench on
// the machine share. It knows files and locks, and neither HTTP nor MCP.
//
// A file is replaced as a whole, by whoever holds the login's lock, so a reader needs no
// lock. The lock is that of the operating system on a file beside the login, so it ends
// with the process that holds it, however that process ends.
//
// Decision: before a refresh token is sent, the file notes its digest. Many authorization
// servers accept a refresh token once and take a second use for theft. A process that
// was killed between sending and writing leaves the note, so the next one knows that
// the token may be used up: it sends the token once more, which some servers allow, and
// otherwise ends the login. Only a refusal by the server, or a second kill, ends a login: a
// server that does not answer is asked again. The price is a second write for each refresh.
//
// Decision: tokens are in files that only the user may read, not in a keyring. Keyrings
// hold 2560 bytes on Windows and about 3000 on macOS, fewer than many tokens have, and
// there is none over ssh or in a container.
package logins
