// Package filewatch reports changes of a file, in whatever way it changes: written in place, replaced,
// removed, new in a new folder, or behind a link that changed.
//
// Decision: it polls once a second instead of using a library for events. fsnotify is well maintained,
// but reports folders, not paths: every link on the way and every missing folder would need a watch of
// its own. It uses one of the user's 128 inotify instances for each program, and reports nothing on
// network drives. A poll is one system call, and costs nothing at the start. The price is a delay of a
// second or two.
//
// Decision: a change is reported once two polls in a row found the same file, because programs that
// write in place are not finished at the first change. A file that differs at every poll is reported
// every ten seconds or so: if it is read half-written, that is a mistake that changes nothing, and it
// is read again.
package filewatch
