package atomicfile

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A file that is being written is called like its target, with a dot before and this
// mark and random digits behind: no other program names a file so.
const mark = ".mcp-workbench-"

// leftoverAge is how old such a file is when nobody is writing it any more: a write
// takes less than a second, and clocks of file servers differ by minutes.
const leftoverAge = time.Hour

// removeLeftovers removes what programs left beside a file that were killed while they
// wrote it: files that have our mark, belong to this user and were last written an hour
// ago. It needs no lock: a write that did take longer would miss its file and fail, and
// its target would stay as it was. What cannot be removed stays, since that is no reason
// not to write.
func removeLeftovers(target string) {
	directory := filepath.Dir(target)
	entries, err := os.ReadDir(directory)
	if err != nil {
		return
	}
	for _, entry := range entries {
		if !isTemporary(entry.Name(), target) {
			continue
		}
		info, err := entry.Info() // of a link, not of what it leads to
		if err != nil || !isLeftover(info) {
			continue
		}
		_ = os.Remove(filepath.Join(directory, entry.Name())) // it may be gone, or may not be removed
	}
}

// isTemporary reports whether Replace gives a file this name while it writes target.
func isTemporary(name, target string) bool {
	digits, hasPrefix := strings.CutPrefix(name, temporaryPrefix(target))
	return hasPrefix && digits != "" && strings.Trim(digits, "0123456789") == ""
}

func temporaryPrefix(target string) string { return "." + filepath.Base(target) + mark }

func isLeftover(info fs.FileInfo) bool {
	return info.Mode().IsRegular() && time.Since(info.ModTime()) > leftoverAge && IsOwn(info)
}
