// Package packages knows the packages that launchers start, npx and uvx: which one a
// command names, which version that is now, and how that version is started later
// without asking anybody. Start at [Store], which implements ports.Packages, and at
// [Parse] for the words of a command.
//
// The machine's own npm and uv do the work, so that a person's registries, proxies and
// logins count. They run with the environment of the workbench and the server's "env"
// over it. What npm installs is in a folder for each lock file, and whoever installs
// holds a lock on it.
//
// Package managers obey files of the folders above the one that they run in, so they run in the
// store, which only the user can change, and not in the shared folder of temporary files.
//
// Decision: npm's lock file names no registry (--omit-lockfile-registry-resolved). It is
// committed, and others have other registries. Integrity values are in it all the same.
// The price: npm asks the registry for each package when it installs.
//
// Decision: an installation is known by a file that is written last, and each start compares all
// files with a list that was made then. The list is not part of the lock: what is installed
// differs between systems and versions of Node. So the comparison finds what others changed, and
// not what a program did that may write the folder and changed the list as well.
//
// Decision: on Linux and macOS files are not read that have the size, the number and the time of
// change that they had when they were compared last. Programs cannot set that time. For a server
// of 107 packages this takes a third of the time of reading all.
//
// Decision: what npx prefers to its registry is not looked at: a package of that name in
// the working directory or installed for all. A pin says which version runs.
package packages
