//go:build !unix

package fileowner

import "io/fs"

// Exposure returns "": the mode of a file does not say here who can change it.
func Exposure(fs.FileInfo) string { return "" }
