package safefile

import (
	"os"
	"path/filepath"
)

// FirstLink returns the shortest beginning of a path that is a link, "" for none.
func FirstLink(path string) string {
	folder := filepath.Dir(path)
	if folder == path {
		return ""
	}
	if link := FirstLink(folder); link != "" {
		return link
	}
	if _, err := os.Readlink(path); err == nil {
		return path
	}
	return ""
}

// Followed returns an absolute path with all links in it resolved, also if the file, or a folder above it, does not
// exist.
func Followed(path string) string { return followedUpTo(path, MaxLinks) }

func followedUpTo(path string, links int) string {
	path = filepath.Clean(path)
	// EvalSymlinks follows no junctions of Windows.
	if link := FirstLink(path); link != "" && links > 0 {
		if target, err := os.Readlink(link); err == nil {
			if !filepath.IsAbs(target) {
				target = filepath.Join(filepath.Dir(link), target)
			}
			return followedUpTo(filepath.Join(target, path[len(link):]), links-1)
		}
	}
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		return resolved
	}
	folder := filepath.Dir(path)
	if folder == path {
		return path
	}
	return filepath.Join(followedUpTo(folder, links), filepath.Base(path))
}

// IsBelow reports whether a path without links leads into a folder.
func IsBelow(folder, path string) bool {
	relative, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(relative)
}
