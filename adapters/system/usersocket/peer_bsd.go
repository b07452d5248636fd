//go:build darwin || freebsd

package usersocket

import "golang.org/x/sys/unix"

// peerUser returns the user of the process at the other end of a socket.
func peerUser(descriptor int) (uint32, error) {
	const solLocal = 0 // sys/un.h
	peer, err := unix.GetsockoptXucred(descriptor, solLocal, unix.LOCAL_PEERCRED)
	if err != nil {
		return 0, err
	}
	return peer.Uid, nil
}
