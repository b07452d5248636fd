package logins

import (
	"io/fs"

	"mcp-workbench/adapters/system/atomicfile"
)

// OnStep sets the function that is called between the steps of a refresh.
func OnStep(at func(name string)) { step = at }

// OnReplace sets the function that is called before a file is replaced.
func OnReplace(before func(path string, text []byte)) {
	replace = func(path string, text []byte, mode fs.FileMode) error {
		before(path, text)
		return atomicfile.Replace(path, text, mode)
	}
}

// File returns the path of a login.
func (s *Store) File(key Key) string { return s.file(key) }

// LockFile returns the path of the lock of a login.
func (s *Store) LockFile(key Key) string { return lockOf(s.file(key)) }
