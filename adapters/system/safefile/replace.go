package safefile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrChanged reports that another program wrote the file meanwhile.
var ErrChanged = errors.New("the file changed meanwhile")

// Replace replaces the contents of the file at path. It follows links, and keeps mode and owner. A new
// file gets the given mode. A failed attempt leaves no temporary file; later calls remove the temporary
// files of killed programs that are older than an hour. On Windows a file cannot be replaced while a
// program reads it: then Replace tries again for up to two seconds.
//
// Failures: those of the file system, which name path instead of the temporary file.
func Replace(path string, data []byte, mode fs.FileMode) error {
	return replace(path, data, mode, func(string) error { return nil })
}

// ReplaceIf is Replace, but fails unless the file still has the text before. A nil text means that the
// file must not exist.
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

// replace writes a temporary file beside the target, calls check and renames the file.
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
		return writing(path, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	if _, err := file.Write(data); err != nil {
		_ = file.Close() // the file is removed
		return writing(path, err)
	}
	if statErr == nil {
		err = writing(path, keepOwner(file, before))
	}
	if err = errors.Join(err, writing(path, file.Chmod(mode)), writing(path, file.Sync()), writing(path, file.Close())); err != nil {
		return err
	}
	return whileHeld(func() error {
		if err := check(target); err != nil {
			return err
		}
		return writing(path, os.Rename(file.Name(), target))
	}, isHeldTarget)
}

// writing returns a failure with the path of the target, which the user knows, instead of the name of a
// temporary file. It returns nil for nil.
func writing(path string, err error) error {
	if err == nil {
		return nil
	}
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		err = failed.Err
	} else if failed, ok := errors.AsType[*os.LinkError](err); ok {
		err = failed.Err
	}
	return fmt.Errorf("write %s: %w", path, err)
}
