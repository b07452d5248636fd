// Package fileowner finds out which other users can change a file or folder: its owner, those who may
// write it according to its mode, and those who can replace it. Root does not count, since root can
// change every file anyway.
//
// In a user namespace of Linux that lacks some users, an unknown owner of a folder counts as root,
// because the folders above a home directory have such an owner in sandboxes.
//
// On Windows, where modes do not restrict writing, no file is exposed.
package fileowner
