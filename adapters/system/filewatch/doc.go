// Package filewatch tells that a file changed, however it was changed: written in place,
// replaced by another one, behind a link that now leads elsewhere, removed or new, in a
// folder that was not there before.
//
// Decision: the file is looked at once a second instead of by a library for events.
// fsnotify is well kept, but it reports folders and not paths: every link on the way and
// the folder that is to come need a watch of their own. It takes one of the user's 128
// inotify instances for each program, and hears nothing of network drives. A look is one
// system call, costs nothing at start, and needs none of that. The price is a second or
// two until a change is noticed.
//
// Decision: a change is reported once two looks in a row found the same. Programs that
// write in place are not finished when the file changes first. A file that is another one at
// every look, as one that a program replaces each second, is reported every ten seconds or so:
// what is read half-written then is a mistake that changes nothing, and is read again.
package filewatch
