//go:build !unix

package fileowner

import "io/fs"

// Exposure returns "", since modes do not restrict writing on this system.
func Exposure(fs.FileInfo) string { return "" }
