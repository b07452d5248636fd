package lockfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/domain/rawjson"
)

// isOwn returns an error unless a path is, as far as it exists, that of a regular file in regular folders below the
// folder of the lock.
//
// Decision: repositories can contain links, and a lock that is written, read or removed through one would be any file
// of the user. So no link counts, wherever it leads.
func (f *File) isOwn(path string) error {
	top := filepath.Dir(f.Path())
	for at, isFile := path, true; at != top; at, isFile = filepath.Dir(at), false {
		info, err := os.Lstat(at)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		case info.Mode()&fs.ModeSymlink != 0:
			return fmt.Errorf("%s is a link, and only what lies in the folder of the configuration itself is used", nameBelow(top, at))
		case isFile && info.IsDir():
			return &fs.PathError{Op: "read", Path: at, Err: errors.New("it is a folder")}
		case isFile:
			if err := safefile.CheckRegular(at, info); err != nil {
				return err
			}
		case !info.IsDir():
			return fmt.Errorf("%s is no folder", nameBelow(top, at))
		}
	}
	return nil
}

// nameBelow returns a path relative to a folder.
func nameBelow(folder, path string) string {
	if name, err := filepath.Rel(folder, path); err == nil {
		return filepath.ToSlash(name)
	}
	return path
}

// isLock returns an error if a file exists and is no lock of any version.
func isLock(path string) error {
	text, err := safefile.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if err == nil && (!rawjson.HasMember(text, versionKey) || !rawjson.HasMember(text, toolboxesKey)) {
		err = errors.New("the file that is there is no lock, and is not replaced; remove it first")
	}
	return err
}
