//go:build unix

package config

import (
	"io/fs"
	"os"
	"syscall"
)

// exposed returns a warning when somebody other than the user can change the file, and
// so which programs run, otherwise "".
func exposed(info fs.FileInfo) string {
	status, ok := info.Sys().(*syscall.Stat_t)
	if !ok || !info.Mode().IsRegular() {
		return ""
	}
	return exposure(info.Mode(), status.Uid, status.Gid, uint32(os.Geteuid()))
}

// exposure is exposed for a mode, an owner and a group. Root may change every file
// anyway. A group with the same number as the owner is the owner's own, which makes
// 0664 the usual mode on many systems.
func exposure(mode fs.FileMode, owner, group, user uint32) string {
	switch {
	case owner != user && owner != 0:
		return "the file belongs to another user, who decides what is run"
	case mode&0o002 != 0:
		return "everybody on this machine can change the file, and so what is run"
	case mode&0o020 != 0 && group != owner:
		return "the group of the file can change it, and so what is run"
	}
	return ""
}
