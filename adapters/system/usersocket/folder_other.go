//go:build !unix

package usersocket

import "io/fs"

// restrict does nothing: on this system modes do not restrict connections, and the folder keeps others out.
func restrict(string) error { return nil }

// isOpen reports false: on this system the folders of a user inherit that others cannot enter them.
func isOpen(fs.FileInfo) bool { return false }
