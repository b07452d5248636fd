package safefile

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// MaxLinks is the maximum number of symbolic links on the way to a file. Systems have a similar limit.
const MaxLinks = 40

// PathExposure describes which other users can change the file or folder at a path: itself, a folder above
// it, or a folder above a symbolic link on the way. It returns "" if only the user and root can.
// Otherwise it returns the exposure nearest to the root of the file system, as in "/srv/shared: every
// user on this machine can change the folder". If the path does not exist yet, only its existing folders
// count. A path with more links than systems follow is exposed.
func PathExposure(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return fmt.Sprintf("%s: %s", path, err)
	}
	links := MaxLinks
	return pathExposure(path, &links)
}

// Check returns an error if others can change the file or folder at a path.
//
// Failures: *ExposedError.
func Check(path string) error {
	if found := PathExposure(path); found != "" {
		return &ExposedError{Reason: found}
	}
	return nil
}

// RemoveExposed removes the file at a path if others can change it, because its mode and owner would be
// kept when it is replaced. It ignores failures.
func RemoveExposed(path string) {
	if PathExposure(path) != "" {
		_ = os.Remove(path)
	}
}

// ExposedError reports a file or folder that is not used because others can change it.
type ExposedError struct {
	Reason string // in the form of PathExposure
}

func (e *ExposedError) Error() string {
	return e.Reason + ", so its content is not used; the user can restrict it to themselves with 'chown' and 'chmod go-w'"
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
		return "" // it was replaced meanwhile
	}
	if *links--; *links < 0 {
		return path + ": too many symbolic links"
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(filepath.Dir(path), target)
	}
	return pathExposure(target, links)
}
