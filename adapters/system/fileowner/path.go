package fileowner

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// maxLinks bounds the symbolic links that lead to one file, as systems do.
const maxLinks = 40

// PathExposure says who else can change what stands at a path: the file or folder itself, a
// folder above it, or a folder above a symbolic link that leads there. It returns "" when
// only the user and root can, otherwise the nearest reason to the root, with its path: "/srv/shared:
// everybody on this machine can change the folder". What does not exist yet is judged by the
// folders that do. A path with more links than the system follows is exposed.
func PathExposure(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return fmt.Sprintf("%s: %s", path, err)
	}
	links := maxLinks
	return pathExposure(path, &links)
}

// Check returns an error when PathExposure finds that others can change what stands at a path.
//
// Failures: *ExposedError.
func Check(path string) error {
	if found := PathExposure(path); found != "" {
		return &ExposedError{Reason: found}
	}
	return nil
}

// ExposedError says that a file or folder is not used, since others can change it.
type ExposedError struct {
	// Reason is what PathExposure found.
	Reason string
}

// Error says what is open to others, and what the user can do.
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
		return "" // it does not exist, or what is above it does not let the user look
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
