// Package packages resolves, installs and starts the packages of npx and uvx: which one a command
// names, which version of it is the newest, and how to start that version later without asking a
// registry. Start at [Store], which implements ports.Packages, and at [Parse] for the words of a
// command.
//
// It runs the npm and uv that are installed, so the user's registries, proxies and logins apply.
// Their environment is that of the workbench, in which the server's "env" replaces variables. npm
// installs into a folder for each lock file, which is locked during the installation.
//
// Package managers obey files in the folders above their working directory, so they run in the
// store, which only the user can change, and not in the shared folder of temporary files.
//
// Decision: npm's lock file names no registry (--omit-lockfile-registry-resolved), because it is
// committed and other users have other registries. It has integrity values nevertheless. The
// price: npm asks the registry for each package when it installs.
//
// Decision: the last file that is written marks an installation as complete, and each start
// compares all files with a list from that moment. The list is not part of the lock, because
// installations differ between systems and versions of Node. The comparison finds changes by
// others, but not those of a program that can write to the folder and changed the list as well.
//
// Decision: copies of a package that npx would prefer to the registry, in the working directory or
// installed globally, are ignored. The pin says which version runs.
package packages
