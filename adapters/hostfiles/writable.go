package hostfiles

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"mcp-workbench/adapters/system/safefile"
)

// Writable returns the path of a file with links resolved. A file that does not exist can be written.
//
// Failures: a file that is read-only, or that belongs to another user.
func Writable(path string) (target string, err error) {
	target, err = filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(path); err == nil {
			return "", fmt.Errorf("write %s: it is a link to a file that does not exist", path)
		}
		return path, nil
	}
	if err != nil {
		return "", err
	}
	info, err := os.Stat(target)
	switch {
	case err != nil:
		return "", err
	case info.Mode().Perm()&0o200 == 0:
		return "", fmt.Errorf("write %s: it is read-only", target)
	case !safefile.IsOwn(info) && os.Geteuid() != 0: // root can write every file
		return "", fmt.Errorf("write %s: it belongs to another user", target)
	}
	return target, nil
}
