// Package atomicfile replaces files so that a reader finds the old text or the new
// one, whole, whenever the program or the machine stops. It also reads files that others
// replace.
package atomicfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrChanged says that another program wrote the file meanwhile.
var ErrChanged = errors.New("the file changed meanwhile")

// Replace puts data in the place of the file at path. A link is followed; mode and
// owner stay. A file that does not exist gets the mode. Nothing of a failed attempt
// stays behind; what an attempt left that was killed is removed once it is an hour old.
// On Windows nobody can replace a file that somebody reads: that is waited for, up to two
// seconds.
//
// Failures: those of the file system.
func Replace(path string, data []byte, mode fs.FileMode) error {
	return replace(path, data, mode, func(string) error { return nil })
}

// ReplaceIf is Replace for a file that is as it was read: before is its text, nil for a
// file that did not exist.
//
// Failures: ErrChanged; those of Replace.
func ReplaceIf(path string, before, data []byte, mode fs.FileMode) error {
	return replace(path, data, mode, func(target string) error {
		now, err := ReadFile(target)
		missing := errors.Is(err, fs.ErrNotExist)
		switch {
		case err != nil && !missing:
			return err
		case missing != (before == nil) || !bytes.Equal(now, before):
			return fmt.Errorf("write %s: %w", path, ErrChanged)
		}
		return nil
	})
}

// replace writes beside the file and renames. It checks at the last moment.
func replace(path string, data []byte, mode fs.FileMode, check func(target string) error) (err error) {
	target := path
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		target = resolved
	}
	before, statErr := os.Stat(target)
	if statErr == nil {
		if !before.Mode().IsRegular() {
			return fmt.Errorf("write %s: it is not a regular file", path)
		}
		mode = before.Mode().Perm()
	}
	removeLeftovers(target)
	file, err := os.CreateTemp(filepath.Dir(target), temporaryPrefix(target)+"*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	_, err = file.Write(data)
	if statErr == nil {
		err = errors.Join(err, keepOwner(file, before))
	}
	if err = errors.Join(err, file.Chmod(mode), file.Sync(), file.Close()); err != nil {
		return err
	}
	return rename(file.Name(), target, check)
}

// rename gives the new file the name of its target, if the target may be replaced.
func rename(file, target string, check func(target string) error) error {
	return whileHeld(func() error {
		if err := check(target); err != nil {
			return err
		}
		return os.Rename(file, target)
	}, isHeldTarget)
}
