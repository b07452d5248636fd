//go:build darwin || freebsd

package status

import (
	"errors"
	"fmt"
	"net"
	"os"

	"golang.org/x/sys/unix"
)

var errOtherUser = errors.New("another user is at the other end")

// checkPeer returns nil if the process at the other end of a connection is of the same user.
func checkPeer(connection *net.UnixConn) error {
	raw, err := connection.SyscallConn()
	if err != nil {
		return fmt.Errorf("find the user at the other end: %w", err)
	}
	const solLocal = 0 // sys/un.h
	var peer *unix.Xucred
	var failure error
	err = raw.Control(func(descriptor uintptr) {
		peer, failure = unix.GetsockoptXucred(int(descriptor), solLocal, unix.LOCAL_PEERCRED)
	})
	if err = errors.Join(err, failure); err != nil {
		return fmt.Errorf("find the user at the other end: %w", err)
	}
	if int(peer.Uid) != os.Geteuid() {
		return errOtherUser
	}
	return nil
}
