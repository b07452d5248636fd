//go:build unix

package config

import (
	"io/fs"
	"os"
	"syscall"
)

// Changeable returns a warning when somebody other than the user can change a file, or
// what is in a folder, and so which programs run, otherwise "". Nobody but the owners of
// files can change what is in a sticky folder.
func Changeable(info fs.FileInfo) string {
	status, ok := info.Sys().(*syscall.Stat_t)
	if !ok || !info.Mode().IsRegular() && !info.IsDir() {
		return ""
	}
	mode, what := info.Mode(), "file"
	if info.IsDir() {
		what = "folder"
		if mode&fs.ModeSticky != 0 {
			mode = 0
		}
	}
	return exposure(what, mode, status.Uid, status.Gid, uint32(os.Geteuid()))
}

// exposure is Changeable for a mode, an owner and a group. Root may change every file
// anyway. A group with the same number as the owner is the owner's own, which makes
// 0664 the usual mode on many systems.
func exposure(what string, mode fs.FileMode, owner, group, user uint32) string {
	switch {
	case owner != user && owner != 0:
		return "the " + what + " belongs to another user, who decides what is run"
	case mode&0o002 != 0:
		return "everybody on this machine can change the " + what + ", and so what is run"
	case mode&0o020 != 0 && group != owner:
		return "the group of the " + what + " can change it, and so what is run"
	}
	return ""
}
