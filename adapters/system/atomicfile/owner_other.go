//go:build !unix

package atomicfile

import (
	"io/fs"
	"os"
)

// keepOwner does nothing, since the folder decides who owns its files.
func keepOwner(*os.File, fs.FileInfo) error { return nil }

// IsOwn reports true where the directory says who owns what is in it.
func IsOwn(fs.FileInfo) bool { return true }
