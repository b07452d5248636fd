//go:build linux || darwin || freebsd

package usersocket

import (
	"errors"
	"fmt"
	"net"
	"os"
)

var errOtherUser = errors.New("another user is at the other end")

// CheckPeer returns an error unless the process at the other end of a connection belongs to the same user.
func CheckPeer(connection *net.UnixConn) error {
	raw, err := connection.SyscallConn()
	if err != nil {
		return fmt.Errorf("find the user at the other end: %w", err)
	}
	var user uint32
	var failure error
	err = raw.Control(func(descriptor uintptr) { user, failure = peerUser(int(descriptor)) })
	if err = errors.Join(err, failure); err != nil {
		return fmt.Errorf("find the user at the other end: %w", err)
	}
	if int(user) != os.Geteuid() {
		return errOtherUser
	}
	return nil
}
