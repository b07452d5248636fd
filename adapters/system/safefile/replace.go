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
// file must not exist. Of several processes of this program that replace the file at the same time, one succeeds.
// Another program can still write the file between the comparison and the renaming.
//
// Failures: ErrChanged; those of Replace.
func ReplaceIf(path string, before, data []byte, mode fs.FileMode) error {
	return exclusively("replace ", path, func() error {
		return replace(path, data, mode, func(target string) error { return Unchanged(target, before) })
	})
}

// Unchanged fails with ErrChanged unless a file still has the text before. A nil text means that the file must not exist.
//
// Failures: ErrChanged; those of ReadFile.
func Unchanged(path string, before []byte) error {
	now, err := ReadFile(path)
	missing := errors.Is(err, fs.ErrNotExist)
	switch {
	case err != nil && !missing:
		return err
	case missing != (before == nil) || !bytes.Equal(now, before):
		return fmt.Errorf("write %s: %w", path, ErrChanged)
	}
	return nil
}

// replace replaces the target by a temporary file beside it, if check allows that.
func replace(path string, data []byte, mode fs.FileMode, check func(target string) error) error {
	room, err := Reserve(path, 0)
	if err != nil {
		return err
	}
	defer room.Release()
	return room.put(data, mode, check)
}

// Room is a temporary file beside a target, with room on the disk for a text that is not known yet. It must be released.
type Room struct {
	path, target string
	file         *os.File
}

// Reserve takes room for a later text of a file, and for the file itself. Where the file system compresses or copies on
// write, the later write can fail all the same.
//
// Failures: those of the file system, which name path instead of the temporary file.
func Reserve(path string, size int) (*Room, error) {
	target := path
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		target = resolved
	}
	if before, err := os.Stat(target); err == nil && !before.Mode().IsRegular() {
		return nil, fmt.Errorf("write %s: it is not a regular file", path)
	}
	removeLeftovers(target)
	file, err := os.CreateTemp(filepath.Dir(target), temporaryPrefix(target)+"*")
	if err != nil {
		return nil, writing(path, err)
	}
	room := &Room{path: path, target: target, file: file}
	if size == 0 {
		return room, nil
	}
	if _, err = file.Write(make([]byte, size)); err == nil {
		err = file.Sync()
	}
	if err != nil {
		room.Release()
		return nil, writing(path, err)
	}
	return room, nil
}

// Release gives the room back, unless the target was replaced.
func (r *Room) Release() {
	if r.file != nil {
		_ = r.file.Close() // the file is removed
		_ = os.Remove(r.file.Name())
		r.file = nil
	}
}

// Replace is Replace of the target, with the room that was taken.
func (r *Room) Replace(data []byte, mode fs.FileMode) error {
	return r.put(data, mode, func(string) error { return nil })
}

// put writes the temporary file, calls check and renames the file.
func (r *Room) put(data []byte, mode fs.FileMode, check func(target string) error) error {
	file := r.file
	var err error
	if before, missing := os.Stat(r.target); missing == nil {
		mode, err = before.Mode().Perm(), keepOwner(file, before)
	}
	if err == nil {
		_, err = file.WriteAt(data, 0)
	}
	if err == nil {
		err = file.Truncate(int64(len(data)))
	}
	if err = errors.Join(writing(r.path, err), writing(r.path, file.Chmod(mode)), writing(r.path, file.Sync()), writing(r.path, file.Close())); err != nil {
		return err
	}
	err = whileHeld(func() error {
		if err := check(r.target); err != nil {
			return err
		}
		return writing(r.path, os.Rename(file.Name(), r.target))
	}, isHeldTarget)
	if err == nil {
		r.file = nil
	}
	return err
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
