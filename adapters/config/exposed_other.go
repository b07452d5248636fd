//go:build !unix

package config

import "io/fs"

// Changeable returns "": the mode of a file does not tell here who can change it.
func Changeable(fs.FileInfo) string { return "" }
