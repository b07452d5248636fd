package skills

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"mcp-workbench/adapters/system/safefile"
)

// Folder is where a host reads skills. It need not exist.
type Folder struct {
	Path string `json:"path"`
	// Project is the folder of the project that links may not leave, "" for a folder of the user.
	Project string `json:"project,omitempty"`
}

// ErrElsewhere reports a link that leads out of where skills are.
var ErrElsewhere = errors.New("a link leads elsewhere")

// resolved returns the folder with its links resolved, which can be written.
//
// Decision: the user's own folder may be a link, as in homes under version control. A project came from others, so nothing
// in it may lead out of it.
//
// Failures: ErrElsewhere; a folder that cannot be written.
func (f Folder) resolved() (Folder, error) {
	existing, below := f.Path, ""
	for {
		if _, err := os.Lstat(existing); err == nil || filepath.Dir(existing) == existing {
			break
		}
		existing, below = filepath.Dir(existing), filepath.Join(filepath.Base(existing), below)
	}
	target, err := filepath.EvalSymlinks(existing)
	if errors.Is(err, fs.ErrNotExist) {
		return f, fmt.Errorf("write skills into %s: %w: nothing is there", existing, ErrElsewhere)
	}
	if err != nil {
		return f, fmt.Errorf("write skills into %s: %w", f.Path, err)
	}
	if f.Project != "" {
		project, err := filepath.EvalSymlinks(f.Project)
		if err != nil {
			return f, fmt.Errorf("write skills into %s: %w", f.Path, err)
		}
		if inside, err := filepath.Rel(project, target); err != nil || !filepath.IsLocal(inside) {
			return f, fmt.Errorf("write skills into %s: %w: out of the project, to %s", f.Path, ErrElsewhere, target)
		}
	}
	info, err := os.Stat(target)
	switch {
	case err != nil:
		return f, fmt.Errorf("write skills into %s: %w", f.Path, err)
	case !info.IsDir():
		return f, fmt.Errorf("write skills into %s: %s is not a folder", f.Path, target)
	case info.Mode().Perm()&0o200 == 0 && runtime.GOOS != "windows": // there it means another thing for folders
		return f, fmt.Errorf("write skills into %s: %s is read-only", f.Path, target)
	case !safefile.IsOwn(info) && os.Geteuid() != 0:
		return f, fmt.Errorf("write skills into %s: %s belongs to another user", f.Path, target)
	}
	return Folder{Path: filepath.Join(target, below), Project: f.Project}, nil
}

// load returns the text of a file below the folder of a skill, nil if there is none.
//
// Failures: ErrElsewhere for a link; a path that is not a file; those of reading it.
func load(skill, path string) ([]byte, error) {
	if !filepath.IsLocal(filepath.FromSlash(path)) {
		return nil, fmt.Errorf("read %s in %s: it is not below that folder", path, skill)
	}
	at := skill
	for _, part := range append([]string{""}, strings.Split(path, "/")...) {
		at = filepath.Join(at, part)
		info, err := os.Lstat(at)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, nil
		case err != nil:
			return nil, err
		case info.Mode()&fs.ModeSymlink != 0:
			return nil, fmt.Errorf("read %s: %w", at, ErrElsewhere)
		}
	}
	return loadIfThere(at)
}
