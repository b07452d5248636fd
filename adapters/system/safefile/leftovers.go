package safefile

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// The name of a temporary file is a dot, the name of its target, this mark and random digits. No other
// program uses such names.
const mark = ".mcp-workbench-"

// leftoverAge is the age at which a temporary file is certainly abandoned: a write takes less than a
// second, and clocks of file servers differ by minutes.
const leftoverAge = time.Hour

// removeLeftovers removes the temporary files that killed programs left for a target, if they belong to
// this user and are older than leftoverAge. It needs no lock, because a write that took longer would fail
// and leave its target unchanged. It ignores errors, since they do not prevent writing.
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
		info, err := entry.Info() // of a link itself, not of its target
		if err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > leftoverAge && IsOwn(info) {
			_ = os.Remove(filepath.Join(directory, entry.Name()))
		}
	}
}

// isTemporary reports whether a name is that of a temporary file for the target.
func isTemporary(name, target string) bool {
	digits, hasPrefix := strings.CutPrefix(name, temporaryPrefix(target))
	return hasPrefix && digits != "" && strings.Trim(digits, "0123456789") == ""
}

func temporaryPrefix(target string) string { return "." + filepath.Base(target) + mark }
