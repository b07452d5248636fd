package ownprogram

import "os"

// Path returns a path to this program.
func Path() string {
	path, err := os.Executable()
	if err == nil {
		if _, err = os.Stat(path); err == nil {
			return path
		}
	}
	return "/proc/self/exe" // on Linux this is the program even if its file was removed
}
