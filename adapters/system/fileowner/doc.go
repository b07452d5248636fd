// Package fileowner says who besides the user can change a file or a folder, and so what is
// read from it. The owner of a file, those whom its mode lets write, and those who can put
// another file in its place count; root, who can change every file anyway, does not.
//
// In a user namespace of Linux that does not have all users, the owner of a folder that it does
// not have is taken for root, as the folders above a home are in sandboxes.
//
// Where the mode of a file does not say who can change it (Windows), no file counts as
// exposed.
package fileowner
