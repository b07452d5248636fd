//go:build unix

package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// openFlags make opening a pipe not wait for a writing program.
const openFlags = syscall.O_NONBLOCK

// isHeld returns false: other programs do not prevent opening a file.
func isHeld(error) bool { return false }

// isHeldTarget returns false: other programs do not prevent replacing a file.
func isHeldTarget(error) bool { return false }

// keepOwner gives a file the owner and group of the file that it replaces. It fails if the user is not
// allowed to do that, so that a file of another user keeps its owner.
func keepOwner(file *os.File, before fs.FileInfo) error {
	was, ok := before.Sys().(*syscall.Stat_t)
	if !ok || int(was.Uid) == os.Geteuid() && int(was.Gid) == os.Getegid() {
		return nil
	}
	err := file.Chown(int(was.Uid), int(was.Gid))
	switch {
	case err == nil:
		return nil
	case int(was.Uid) != os.Geteuid():
		return fmt.Errorf("it belongs to another user: %w", errors.Unwrap(err)) // without the name of the temporary file
	}
	return fmt.Errorf("it belongs to the group %d, of which you are no member ('chgrp' changes that): %w", was.Gid, errors.Unwrap(err))
}

// IsOwn reports whether a file belongs to this user.
func IsOwn(info fs.FileInfo) bool {
	status, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(status.Uid) == os.Geteuid()
}

// Exposure describes which other users can change a file, a link, or the contents of a folder, as in
// "every user on this machine can change the file". It returns "" if only the user and root can. In a sticky
// folder such as /tmp, only owners can replace files. Devices and pipes are never exposed, since they
// store nothing.
func Exposure(info fs.FileInfo) string {
	status, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	mode, kind := info.Mode(), "file"
	switch mode.Type() {
	case 0:
	case fs.ModeDir:
		kind = "folder"
		if mode&fs.ModeSticky != 0 {
			mode = 0
		}
	case fs.ModeSymlink:
		kind, mode = "link", 0 // only its owner can replace a link, whatever its mode
	default:
		return ""
	}
	owner, group, user := status.Uid, status.Gid, uint32(os.Geteuid())
	if kind != "file" && owner != user && owner != 0 && isUnmapped(owner) {
		// In a sandbox, the folders of root have such an owner. Files in them are checked separately.
		if owner = 0; group == status.Uid {
			group = 0
		}
	}
	return exposure(kind, mode, owner, group, user)
}

// exposure is Exposure for a kind, a mode, an owner and a group. A group with the number of the owner or
// the user is assumed to have no other members: many systems create files with 0664, and Kubernetes
// creates volumes as root:USER with 2775.
func exposure(kind string, mode fs.FileMode, owner, group, user uint32) string {
	switch {
	case owner != user && owner != 0:
		return "the " + kind + " belongs to another user"
	case mode&0o002 != 0:
		return "every user on this machine can change the " + kind
	case mode&0o020 != 0 && group != owner && group != user:
		return "the group of the " + kind + " can change it"
	}
	return ""
}
