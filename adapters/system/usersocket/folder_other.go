//go:build !unix

package usersocket

import "io/fs"

// closeToOthers does nothing: modes do not say who can connect there, and the folder keeps others out.
func closeToOthers(string) error { return nil }

// isOpen reports false: folders of a user are closed to others there by what they inherit.
func isOpen(fs.FileInfo) bool { return false }
