// Package safefile reads, writes, locks and watches files that other programs and other users can change meanwhile.
//
// Replace replaces a file so that readers find either the whole old text or the whole new one, even if the program or
// the machine stops. Open and ReadFile read files that other programs replace.
//
// Exposure and PathExposure find out which other users can change a file or folder: its owner, those who may write it
// according to its mode, and those who can replace it. Root does not count, since root can change every file anyway. In
// a user namespace of Linux that lacks some users, an unknown owner of a folder counts as root, because the folders
// above a home directory have such an owner in sandboxes. On Windows, where modes do not restrict writing, no file is
// exposed.
//
// Watch reports changes of a file, however it changes: it may be written in place, replaced, removed, created in a new
// folder, or be behind a link that changed.
//
// Decision: Watch polls once a second instead of using a library for events. fsnotify is well maintained, but watches
// folders, not paths: every link on the way and every missing folder would need its own watch. It uses one of the
// user's 128 inotify instances for each program, and reports nothing on network drives. A poll is one system call, and
// does not delay the start. The disadvantage is a delay of a second or two.
//
// Decision: a change is reported after two consecutive polls found the same file, because programs that write in place
// are not finished at the first change. A file that differs at every poll is reported about every ten seconds. If it is
// half-written then, its configuration is invalid and has no effect, and the file is read again.
package safefile
