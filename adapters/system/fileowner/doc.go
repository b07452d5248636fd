// Package fileowner finds the other users who can change a file or folder: its owner, those that
// its mode allows to write, and those that can replace it. Root does not count, since root can change
// every file anyway.
//
// In a user namespace of Linux that lacks some users, an unknown owner of a folder counts as root,
// because the folders above a home look like that in sandboxes.
//
// Where modes do not restrict writing (Windows), no file is exposed.
package fileowner
