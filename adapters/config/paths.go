package config

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/domain"
)

// folder returns the absolute path of the folder of the file.
func (r *reader) folder() string {
	path, err := filepath.Abs(r.File)
	if err != nil {
		return ""
	}
	return filepath.Dir(path)
}

// besideFile reads the path of a file, which is relative to the folder of the configuration.
func (r *reader) besideFile(n tree.Node) string {
	return r.beside(n, "the path of a file, absolute or relative to the configuration")
}

// beside is besideFile for what is wanted at the path.
func (r *reader) beside(n tree.Node, wanted string) string {
	path, ok := r.Text(n, wanted)
	switch {
	case !ok:
		return ""
	case path == "" || strings.Contains(path, "${") || strings.HasPrefix(path, "~") || strings.ContainsRune(path, 0):
		r.Wrong(n.Place(), strconv.Quote(tree.Shortened(path)), wanted+", without variables and ~")
		return ""
	case !filepath.IsAbs(path):
		path = filepath.Join(r.folder(), path)
	}
	if r.isLedOut(n, path) {
		return ""
	}
	return path
}

// absolutePath reads the absolute path of a file that is written to. In a file that may come from others it leads
// to a place below the folder of that file, with all links resolved, and is returned in this form.
func (r *reader) absolutePath(n tree.Node, wanted string) (path string, ok bool) {
	path, ok = r.Text(n, wanted)
	switch {
	case !ok:
		return "", false
	case !filepath.IsAbs(path):
		r.WrongValue(n, wanted)
		return "", false
	case !r.fromOthers:
		return path, true
	}
	target := safefile.Followed(path)
	if !safefile.IsBelow(safefile.Followed(r.folder()), target) {
		r.Wrong(n.Place(), "a path outside of the folder of this file", "a path below it; --log-file names any other place")
		return "", false
	}
	return target, true
}

// isLedOut reports whether a link in the folder of a file that may come from others leads a path out of that folder. If
// so, it reports a problem.
//
// Decision: repositories can contain links, also in changes that come later, and a path shows nothing of them. A file
// elsewhere is named by its own path, which the user sees before trusting the file.
func (r *reader) isLedOut(n tree.Node, path string) bool {
	folder := safefile.Followed(r.folder())
	if !r.fromOthers || !isThroughLink(folder, path) || safefile.IsBelow(folder, safefile.Followed(path)) {
		return false
	}
	r.Wrong(n.Place(), "a link that leads to "+shown(safefile.Followed(path)), "a file in the folder of this file, or the path of another one itself")
	return true
}

// isThroughLink reports whether an absolute path leads through a link that is in a folder.
func isThroughLink(folder, path string) bool {
	for range safefile.MaxLinks {
		link := safefile.FirstLink(filepath.Clean(path))
		if link == "" || safefile.IsBelow(folder, link) || isIn(folder, filepath.Dir(link)) {
			return link != ""
		}
		target, err := os.Readlink(link)
		if err != nil {
			return true
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(link), target)
		}
		path = filepath.Join(target, filepath.Clean(path)[len(link):])
	}
	return true
}

// isIn reports whether a folder is another one or below it, however both are spelled: some systems ignore case, or
// have short names too.
func isIn(folder, path string) bool {
	wanted, err := os.Stat(folder)
	for ; err == nil; path = filepath.Dir(path) {
		if info, err := os.Stat(path); err == nil && os.SameFile(info, wanted) {
			return true
		}
		if filepath.Dir(path) == path {
			break
		}
	}
	return false
}

// maxShownPath is the maximum number of bytes of a path in a message.
const maxShownPath = 400

// shown returns a path as messages show it, on one line.
func shown(path string) string {
	return domain.CutBytes(domain.ReviewLine(path), maxShownPath)
}
