package fileowner

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// maxLinks bounds the symbolic links on the way to one file, as systems do.
const maxLinks = 40

// PathExposure describes who else can change the file or folder at a path: by itself, by a folder above
// it, or by a folder above a symbolic link on the way. It returns "" if only the user and root can,
// otherwise the reason nearest to the root of the file system, as in "/srv/shared: everybody on this
// machine can change the folder". A path that does not exist yet is judged by the folders that do. A
// path with more links than systems follow is exposed.
func PathExposure(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return fmt.Sprintf("%s: %s", path, err)
	}
	links := maxLinks
	return pathExposure(path, &links)
}

// Check returns an error if others can change what is at a path.
//
// Failures: *ExposedError.
func Check(path string) error {
	if found := PathExposure(path); found != "" {
		return &ExposedError{Reason: found}
	}
	return nil
}

// RemoveExposed removes the file at a path if others can change it, because a file that replaces it
// would keep its mode and owner. A file that cannot be removed stays.
func RemoveExposed(path string) {
	if PathExposure(path) != "" {
		_ = os.Remove(path)
	}
}

// ExposedError reports a file or folder that is not used because others can change it.
type ExposedError struct {
	Reason string // as PathExposure returns it
}

func (e *ExposedError) Error() string {
	return e.Reason + ", so what is in there is not used; the user can make it theirs alone with 'chown' and 'chmod go-w'"
}

func pathExposure(path string, links *int) string {
	if above := filepath.Dir(path); above != path {
		if found := pathExposure(above, links); found != "" {
			return found
		}
	}
	info, err := os.Lstat(path)
	if err != nil {
		return "" // it does not exist, or the user cannot see it
	}
	if found := Exposure(info); found != "" {
		return path + ": " + found
	}
	if info.Mode().Type() != fs.ModeSymlink {
		return ""
	}
	target, err := os.Readlink(path)
	if err != nil {
		return "" // it is another file by now
	}
	if *links--; *links < 0 {
		return path + ": too many symbolic links lead on from here"
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(filepath.Dir(path), target)
	}
	return pathExposure(target, links)
}
