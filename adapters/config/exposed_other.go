//go:build !unix

package config

import "io/fs"

// exposed returns "": the mode of a file does not tell here who can change it.
func exposed(fs.FileInfo) string { return "" }
